package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.Truth.Answer;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.UndecodableRecordException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One random life of an installation, all of it drawn from a seed; then rest. The rules hold after each event.
 *
 * <pre>{@code new Life(seed, Fault.NONE, folder).live();}</pre>
 */
final class Life {
    private static final int EVENTS = 60;
    private static final int JOBS_MAX = 4;
    private static final long STEP_MILLIS = 5_000;
    /** Shorter than a sweep waits before it removes what another job may name. */
    private static final long DEAF_MILLIS = World.GRACE_MILLIS / 2;

    private static final int ALL = Integer.MAX_VALUE;
    private static final int REST_ROUNDS_MIN = 30;
    /** Each damaged file costs a lane three tries with half a minute between. */
    private static final int REST_ROUNDS_MAX = 400;

    private final long seed;
    private final World world;
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private long checkpoints;
    private long commands;
    private int inVain;
    private final Reread reread;
    /** Whoever lets others go on meanwhile takes it back. */
    boolean onSideThread;

    Life(long seed, Fault fault, Path folder) {
        this.seed = seed;
        this.world = new World(seed, fault, folder);
        this.reread = new Reread(world, this);
        world.truth.of(jobs);
    }

    /** Throws what is broken, with the seed and what happened. */
    void live() {
        try {
            startJob(null);
            world.store.meanwhile(this::meanwhile);
            world.store.betweenLooks(reread::betweenLooks);
            for (int event = 0; event < EVENTS; event++) {
                happen();
                world.truth.check();
            }
            rest();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    "seed %d%s: %s%nwhat happened (virtual milliseconds, event):%n%s%nthis seed alone: -Dtailrace.simulation.seed=%d"
                            .formatted(
                                    seed,
                                    world.fault == Fault.NONE ? "" : " with " + world.fault,
                                    e.getMessage(),
                                    String.join("\n", world.story()),
                                    seed),
                    e);
        } finally {
            jobs.forEach(Life::end);
        }
    }

    private static void end(SimulatedJob job) {
        try {
            job.crash();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    SimulatedJob current() {
        return jobs.get(jobs.size() - 1);
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

    private void happen() throws Exception {
        switch (world.random.nextInt(26)) {
            case 0, 1, 2, 3, 4 -> produce();
            case 5, 6 -> delete();
            case 7, 8, 9, 10, 11 -> pass(200 + world.random.nextInt(8_000));
            case 12 -> pass(10_000 + world.random.nextInt(80_000));
            case 13, 14 -> crash();
            case 15 -> takeOver();
            case 16 -> harm();
            case 17 -> storeComesOrGoes();
            case 18 -> pause();
            case 19 -> cutOff();
            case 20 -> repeat();
            case 21 -> outage();
            case 22 -> startInVain();
            case 23 -> reread.happen();
            default -> step();
        }
    }

    void produce() {
        int many = 1 + world.random.nextInt(6);
        String scope = World.SCOPES.get(world.oneIn(4) ? 1 : 0);
        for (int i = 0; i < many; i++) {
            long completedAt = world.now() - world.random.nextInt(world.oneIn(5) ? 60_000 : 500);
            send(world.truth.answer(scope, completedAt));
        }
        world.tell(
                "%d answers in %s, the last is %d",
                many, scope, world.truth.answers().size() - 1);
    }

    private void send(Answer answer) {
        Generation generation = Generation.newBuilder()
                .setRequestId(answer.requestId())
                .setLane(LaneId.parse(World.lane(answer.scope())).toLane())
                .setProducer("worker")
                .setResponse(IntStream.of(answer.tokens()).boxed().toList())
                .setStartedAt(Instant.ofEpochMilli(answer.completedAt()))
                .setCompletedAt(Instant.ofEpochMilli(answer.completedAt()))
                .build();
        world.generations.append(answer.requestId(), RecordCodec.GENERATION.encode(generation), world.now());
    }

    /** A producer sends again what it does not know to have arrived. */
    private void repeat() {
        List<Answer> answers = world.truth.answers();
        if (!answers.isEmpty()) {
            Answer again = answers.get(answers.size() - 1 - world.random.nextInt(Math.min(5, answers.size())));
            world.tell("request %d is sent again", again.id());
            send(again);
        }
    }

    private void delete() throws UndecodableRecordException {
        List<Answer> answers = world.truth.answers();
        if (answers.isEmpty()) {
            return;
        }
        Answer of = answers.get(answers.size() - 1 - world.random.nextInt(Math.min(30, answers.size())));
        boolean whole = world.oneIn(8);
        Control control = Control.newBuilder()
                .setCommandId("delete-" + commands++)
                .setCommand(whole ? Command.DELETE_SCOPE : Command.DELETE_REQUEST)
                .setScope(of.scope())
                .setRequestId(whole ? null : of.requestId())
                .setIssuer("operator")
                .setIssuedAt(Instant.ofEpochMilli(world.now()))
                .build();
        world.tell("%s: %s", control.getCommandId(), whole ? "all of " + of.scope() : "request " + of.id());
        var record = world.control.append(control.getCommandId(), RecordCodec.CONTROL.encode(control), world.now());
        ControlCommand command =
                ControlCommand.decode(new RawRecord("control", 0, record.offset(), record.at(), record.value()));
        world.truth.deleted(command, whole ? null : of.id(), record);
    }

    /** Time passes in small steps, and all that work do so. */
    void pass(long millis) throws Exception {
        world.tell("%d ms pass", millis);
        long end = world.now() + millis;
        while (world.now() < end) {
            world.pass(Math.min(end - world.now(), 1 + world.random.nextInt((int) STEP_MILLIS)));
            for (SimulatedJob job : List.copyOf(jobs)) {
                work(job);
            }
        }
    }

    /** One step of whoever is next. */
    private void step() throws Exception {
        work(jobs.get(world.random.nextInt(jobs.size())));
    }

    private void work(SimulatedJob job) throws Exception {
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
            world.truth.check();
        }
    }

    /** While a side thread uses the store, the shards of the job that counts go on. */
    private void meanwhile() {
        SimulatedJob job = current();
        if (onSideThread && world.oneIn(4) && job.isWorking()) {
            onSideThread = false;
            try {
                job.act(run -> {
                    run.read(ALL, 0, job.isCutOff() ? 0 : ALL);
                    run.fireShards();
                });
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            } finally {
                onSideThread = true;
            }
        }
    }

    private void crash() throws Exception {
        SimulatedJob job = current();
        if (job.isSuperseded()) {
            return;
        }
        List<Checkpoint> completed = job.completed();
        boolean older = world.oneIn(4) && completed.size() > 1;
        Checkpoint from = older ? completed.get(world.random.nextInt(completed.size())) : job.newest();
        if (from == null && latestStands()) {
            return;
        }
        world.tell(
                "job %d fails and goes on from %s", job.number(), from == null ? "nothing" : "checkpoint " + from.id());
        job.crash();
        if (world.oneIn(3)) {
            pass(world.random.nextInt(30_000));
            if (world.oneIn(2)) {
                delete();
            }
        }
        job.start(from);
    }

    private boolean latestStands() {
        return World.SCOPES.stream()
                .anyMatch(scope -> !world.truth.standing(World.lane(scope)).isEmpty());
    }

    /** Another job goes on from what this one has written down. */
    private void takeOver() throws Exception {
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
    private void startInVain() throws Exception {
        SimulatedJob before = current();
        if (before.newest() == null) {
            return;
        }
        SimulatedJob job = new SimulatedJob(world, JOBS_MAX + 1 + inVain++);
        world.tell("job %d claims and cannot restore its state", job.number());
        Run run = new Run(job, before.newest());
        try {
            run.openGuard();
        } finally {
            run.close();
        }
    }

    private void pause() {
        SimulatedJob job = jobs.get(world.random.nextInt(jobs.size()));
        if (job.run() != null) {
            job.pause(!job.isPaused());
            world.tell("job %d %s", job.number(), job.isPaused() ? "stands still" : "goes on");
        }
    }

    /** Its source of generations gets nothing for a while. */
    private void cutOff() {
        SimulatedJob job = current();
        job.cutOff(!job.isCutOff());
        world.tell("job %d reads %s", job.number(), job.isCutOff() ? "no generations" : "generations again");
    }

    private void harm() {
        List<String> paths = world.store.paths();
        if (paths.isEmpty()) {
            return;
        }
        String path = paths.get(world.random.nextInt(paths.size()));
        if (world.random.nextBoolean()) {
            world.tell("%s is lost", path);
            world.store.lose(path);
        } else {
            world.tell("%s is damaged", path);
            world.store.damage(path, world.random);
        }
    }

    private void storeComesOrGoes() {
        world.store.away(!world.store.isAway());
        world.tell("the store is %s", world.store.isAway() ? "away" : "back");
    }

    /** Everything stands still for long enough that Kafka forgets. */
    private void outage() throws Exception {
        if (!world.oneIn(3)) {
            return;
        }
        SimulatedJob job = current();
        boolean down = job.run() != null && world.random.nextBoolean();
        if (down) {
            job.crash();
        }
        long millis = World.RETENTION_MILLIS / 2 + world.random.nextInt((int) World.RETENTION_MILLIS);
        world.tell("an outage of %d ms%s", millis, down ? ", job " + job.number() + " is down" : "");
        world.pass(millis);
        world.generations.retain(world.now() - World.RETENTION_MILLIS);
        world.snapshots.compact(world.now() - World.RETENTION_MILLIS);
        produce();
        produce();
        if (down && !job.isSuperseded() && (job.newest() != null || !latestStands())) {
            job.start(job.newest());
        }
    }

    /** Nothing goes wrong any more, for long enough. */
    private void rest() throws Exception {
        world.tell("from now on all is well");
        world.store.away(false);
        world.store.meanwhile(() -> {});
        world.store.betweenLooks(() -> {});
        SimulatedJob last = current();
        last.pause(false);
        last.cutOff(false);
        for (SimulatedJob job : jobs) {
            job.pause(false);
        }
        if (last.run() == null && !last.isSuperseded()) {
            last.start(last.newest());
        }
        // A lane whose folder is empty waits: that is not its store. With the next flush it is not empty any more.
        world.pass(1);
        World.SCOPES.forEach(scope -> send(world.truth.answer(scope, world.now())));
        for (int round = 0; round < REST_ROUNDS_MAX && !(round > REST_ROUNDS_MIN && isAtRest()); round++) {
            world.pass(10_000);
            for (SimulatedJob job : List.copyOf(jobs)) {
                workWell(job);
            }
            world.truth.check();
        }
        world.truth.checkAtRest();
    }

    private boolean isAtRest() {
        try {
            world.truth.checkAtRest();
            return true;
        } catch (BrokenInvariantException notYet) {
            return false;
        }
    }

    private void workWell(SimulatedJob job) throws Exception {
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
