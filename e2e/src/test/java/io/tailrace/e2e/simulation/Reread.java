package io.tailrace.e2e.simulation;

/**
 * A job writes a file, fails before a checkpoint that would name it, and reads the same again when a sweep has just found the file old: what it writes has
 * the same content, and so the same name.
 */
final class Reread {
    private static final int ALL = Integer.MAX_VALUE;
    private static final long STEP_MILLIS = 5_000;
    /** What has come is folded by then. */
    private static final int FOLDED_BY_SECONDS = 4;

    private static final long SWEPT_BY_MILLIS = 5 * World.GRACE_MILLIS;

    private final World world;
    private final Life life;
    private final Jobs jobs;
    private boolean waiting;

    Reread(World world, Life life, Jobs jobs) {
        this.world = world;
        this.life = life;
        this.jobs = jobs;
    }

    void happen() throws Exception {
        SimulatedJob job = jobs.current();
        boolean can = job.isWorking() && !job.isCutOff() && job.newest() != null && !world.store.isAway();
        if (!can || !world.oneIn(3)) {
            return;
        }
        // What comes now is a segment of its own both times: nothing waits, and the newest segment is too old to be
        // folded into.
        life.pass(World.NEWEST_AGE_MILLIS_MAX);
        jobs.workWell(job);
        if (!job.isWorking()) {
            return;
        }
        Checkpoint from = job.newest();
        life.produce();
        job.act(run -> run.read(ALL, ALL, ALL));
        fold(job);
        if (!job.isWorking()) {
            return;
        }
        world.tell("job %d fails, goes on from checkpoint %d and reads nothing for a while", job.number(), from.id());
        job.crash();
        job.start(from);
        job.cutOff(true);
        waiting = true;
        long end = world.now() + SWEPT_BY_MILLIS;
        while (waiting && world.now() < end) {
            life.pass(STEP_MILLIS);
        }
        waiting = false;
        job.cutOff(false);
    }

    private void fold(SimulatedJob job) throws Exception {
        for (int i = 0; i < FOLDED_BY_SECONDS; i++) {
            world.pass(1_000);
            job.act(Run::fireTimers);
            while (job.isWorking() && job.run().runSide()) {
                // As a side thread, beside the one that is at work here, if any.
            }
        }
    }

    /** Between the two looks of a sweep. */
    void betweenLooks() {
        if (!waiting || !jobs.onSideThread) {
            return;
        }
        waiting = false;
        jobs.onSideThread = false;
        SimulatedJob job = jobs.current();
        world.tell("a sweep of job %d has looked, and the job reads again", job.number());
        job.cutOff(false);
        try {
            job.act(run -> run.read(ALL, 0, ALL));
            fold(job);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            jobs.onSideThread = true;
        }
    }
}
