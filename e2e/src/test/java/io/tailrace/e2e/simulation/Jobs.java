package io.tailrace.e2e.simulation;

import java.util.ArrayList;
import java.util.List;

/** The jobs of a life, one after the other, and what may become of them. The last is the current one. */
final class Jobs {
    private static final int JOBS_MAX = 4;
    /** Shorter than a sweep waits before it removes what another job may name. */
    private static final long DEAF_MILLIS = World.GRACE_MILLIS / 2;

    private static final int ALL = Integer.MAX_VALUE;

    private final World world;
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private long checkpoints;
    private int inVain;
    /** Whoever lets others go on meanwhile takes it back. */
    boolean onSideThread;

    Jobs(World world) {
        this.world = world;
        world.truth.of(jobs);
    }

    /** The first, from nothing. */
    void startFirst() throws Exception {
        startJob(null);
    }

    List<SimulatedJob> all() {
        return List.copyOf(jobs);
    }

    SimulatedJob current() {
        return jobs.get(jobs.size() - 1);
    }

    void end() {
        jobs.forEach(Jobs::end);
    }

    private static void end(SimulatedJob job) {
        try {
            job.crash();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void startJob(Checkpoint from) throws Exception {
        SimulatedJob job = new SimulatedJob(world, jobs.size() + 1);
        jobs.add(job);
        if (from != null) {
            job.adopt(from);
        }
        world.tell("job %d starts from %s", job.number(), from == null ? "nothing" : "checkpoint " + from.id());
        job.start(from);
    }

    /** One step of whoever is next. */
    void step() throws Exception {
        work(jobs.get(world.random.nextInt(jobs.size())));
    }

    void work(SimulatedJob job) throws Exception {
        if (!job.isWorking()) {
            return;
        }
        int most = job.isCutOff() ? 0 : world.oneIn(4) ? 1 + world.random.nextInt(5) : ALL;
        job.act(run -> run.read(job.isDeaf() ? 0 : ALL, ALL, most));
        for (int round = world.random.nextInt(3); round >= 0; round--) {
            job.act(Run::fireTimers);
            sideWork(job, 6);
        }
        job.act(Run::fireTimers);
        job.triggerCheckpoint(++checkpoints);
        if (world.oneIn(6)) {
            job.abortCheckpoint();
        } else if (world.oneIn(40)) {
            world.tell("job %d fails right after a checkpoint", job.number());
            job.completeCheckpoint(false);
        } else if (!world.oneIn(4)) {
            job.completeCheckpoint(true);
        }
        if (job.run() == null && !job.isSuperseded() && job == current()) {
            world.tell("job %d starts again", job.number());
            job.start(job.newest());
        }
    }

    /** Once in so many times work is left for later. */
    private void sideWork(SimulatedJob job, int leftOnceIn) throws Exception {
        boolean more = true;
        while (more && !world.oneIn(leftOnceIn)) {
            onSideThread = true;
            more = job.isWorking() && job.run().runSide();
            onSideThread = false;
            world.books.check();
        }
    }

    /** While a side thread uses the store, the job that counts reads on. */
    void meanwhile() {
        SimulatedJob job = current();
        if (onSideThread && world.oneIn(4) && job.isWorking()) {
            onSideThread = false;
            try {
                job.act(run -> run.read(ALL, 0, job.isCutOff() ? 0 : ALL));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                onSideThread = true;
            }
        }
    }

    /** It does not commit what belongs to its last checkpoint, if that is complete. */
    void failAfterCheckpoint(SimulatedJob job) throws Exception {
        job.triggerCheckpoint(++checkpoints);
        job.completeCheckpoint(false);
        job.crash();
    }

    /** Another job goes on from what this one has written down. */
    void takeOver() throws Exception {
        SimulatedJob before = current();
        List<Checkpoint> completed = before.completed();
        if (jobs.size() >= JOBS_MAX || completed.isEmpty()) {
            return;
        }
        if (world.oneIn(2)) {
            before.pause(true);
            world.tell("job %d stands still", before.number());
        } else if (world.oneIn(2)) {
            before.deafUntil(world.now() + DEAF_MILLIS);
            world.tell("job %d hears no commands for a while", before.number());
        }
        startJob(world.oneIn(3) ? completed.get(world.random.nextInt(completed.size())) : before.newest());
    }

    /** Another job, whose state cannot be restored, although its guard's can. */
    void startInVain() throws Exception {
        SimulatedJob before = current();
        if (before.newest() == null) {
            return;
        }
        SimulatedJob job = new SimulatedJob(world, JOBS_MAX + 1 + inVain++);
        world.tell("job %d claims and cannot restore its state", job.number());
        Run run = new Run(job, before.newest());
        try {
            run.openGuard();
        } catch (Run.EndedException e) {
            world.tell("job %d is superseded and ends", job.number());
        } finally {
            run.close();
        }
    }

    void pause() {
        SimulatedJob job = jobs.get(world.random.nextInt(jobs.size()));
        if (job.run() != null) {
            job.pause(!job.isPaused());
            world.tell("job %d %s", job.number(), job.isPaused() ? "stands still" : "goes on");
        }
    }

    /** Its source of generations gets nothing for a while. */
    void cutOff() {
        SimulatedJob job = current();
        job.cutOff(!job.isCutOff());
        world.tell("job %d reads %s", job.number(), job.isCutOff() ? "no generations" : "generations again");
    }

    /** A version is announced, or what a job takes for one: without state none starts. */
    boolean isAnnounced() {
        return new SimulatedInstallation(world, world.keys.trusted())
                .announced()
                .isPresent();
    }

    void workWell(SimulatedJob job) throws Exception {
        job.act(run -> run.read(ALL, ALL, ALL));
        for (int round = 0; round < 3; round++) {
            job.act(Run::fireTimers);
            sideWork(job, ALL);
        }
        job.act(Run::fireTimers);
        job.triggerCheckpoint(++checkpoints);
        job.completeCheckpoint(true);
    }
}
