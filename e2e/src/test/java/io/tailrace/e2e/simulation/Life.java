package io.tailrace.e2e.simulation;

import io.tailrace.e2e.simulation.Truth.Answer;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One random life of an installation, all of it drawn from a seed; then rest. The rules hold after each event.
 *
 * <pre>{@code new Life(seed, Fault.NONE, folder).live();}</pre>
 */
final class Life {
    private static final int EVENTS = 75;
    private static final long STEP_MILLIS = 5_000;
    private static final int REST_ROUNDS_MIN = 30;
    /** Each damaged file costs a lane three tries with half a minute between. */
    private static final int REST_ROUNDS_MAX = 400;

    private static final long ROUND_MILLIS = 10_000;
    /** Of later rounds: a job reads one file of a lane in five minutes that shows no other sign of damage. */
    private static final long LATER_ROUND_MILLIS = 60_000;

    private static final int LATER_ROUND = 100;
    /** After so long a worker looks whether what it serves is still there. */
    private static final long REREAD_MILLIS = 3_600_000;

    private final long seed;
    private final World world;
    private final Jobs jobs;
    private final Operators operators;
    private final Intruder intruder;
    private final SimulatedFollower follower;
    private final SimulatedSpool spool;
    private final Reread reread;
    private final Absence absence;

    Life(long seed, Fault fault, Path folder) throws IOException {
        this.seed = seed;
        this.world = new World(seed, fault, folder);
        this.jobs = new Jobs(world);
        this.operators = new Operators(world);
        this.intruder = new Intruder(world);
        this.follower = new SimulatedFollower(world);
        this.spool = new SimulatedSpool(world);
        this.reread = new Reread(world, this, jobs);
        this.absence = new Absence(world, this, operators, follower);
    }

    /** Throws what is broken, with the seed and what happened. */
    void live() throws IOException {
        try {
            jobs.startFirst();
            world.store.meanwhile(jobs::meanwhile);
            world.store.betweenLooks(reread::betweenLooks);
            for (int event = 0; event < EVENTS; event++) {
                happen();
                world.books.check();
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
            jobs.end();
            follower.close();
            spool.close();
        }
    }

    /** Of a life that was lived: all that another life of the same seed must repeat. */
    List<String> account() {
        return world.account();
    }

    private void happen() throws Exception {
        switch (world.random.nextInt(34)) {
            case 0, 1, 2, 3, 4 -> produce();
            case 5, 6 -> operators.delete();
            case 7, 8, 9, 10, 11 -> pass(200 + world.random.nextInt(8_000));
            case 12 -> pass(10_000 + world.random.nextInt(80_000));
            case 13, 14 -> crash();
            case 15 -> jobs.takeOver();
            case 16 -> harm();
            case 17 -> storeComesOrGoes();
            case 18 -> jobs.pause();
            case 19 -> jobs.cutOff();
            case 20 -> repeat();
            case 21 -> outage();
            case 22 -> jobs.startInVain();
            case 23 -> reread.happen();
            case 24, 25 -> operators.chooseVersion();
            case 26, 27 -> intruder.act();
            case 28 -> spool.kill();
            case 29 -> spool.brokersComeOrGo();
            case 30 -> spool.diskFillsOrEmpties();
            case 31 -> followerStartsAgainOrIsCutOff();
            case 32 -> absence.happen();
            default -> jobs.step();
        }
    }

    void produce() throws IOException {
        int many = 1 + world.random.nextInt(6);
        String scope = World.SCOPES.get(world.oneIn(4) ? 1 : 0);
        for (int i = 0; i < many; i++) {
            long completedAt = world.now() - world.random.nextInt(world.oneIn(5) ? 60_000 : 500);
            answer(world.truth.answer(scope, completedAt));
        }
        world.tell(
                "%d answers in %s, the last is %d",
                many, scope, world.truth.answers().size() - 1);
    }

    /** By a worker with a spool, or by another producer. */
    private void answer(Answer answer) throws IOException {
        if (spool.isDown() || world.oneIn(2)) {
            send(answer);
        } else {
            spool.answer(generation(answer));
        }
    }

    private void send(Answer answer) {
        world.generations.append(answer.requestId(), RecordCodec.GENERATION.encode(generation(answer)), world.now());
    }

    private static Generation generation(Answer answer) {
        return Generation.newBuilder()
                .setRequestId(answer.requestId())
                .setLane(LaneId.parse(World.lane(answer.scope())).toLane())
                .setProducer("worker")
                .setResponse(IntStream.of(answer.tokens()).boxed().toList())
                .setStartedAt(Instant.ofEpochMilli(answer.completedAt()))
                .setCompletedAt(Instant.ofEpochMilli(answer.completedAt()))
                .build();
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

    private void followerStartsAgainOrIsCutOff() throws IOException {
        if (world.oneIn(3)) {
            follower.startAgain();
        } else {
            follower.cutOff(!follower.isCutOff());
        }
    }

    /** Time passes in small steps, and all that work do so. */
    void pass(long millis) throws Exception {
        world.tell("%d ms pass", millis);
        long end = world.now() + millis;
        while (world.now() < end) {
            world.pass(Math.min(end - world.now(), 1 + world.random.nextInt((int) STEP_MILLIS)));
            for (SimulatedJob job : jobs.all()) {
                jobs.work(job);
            }
            follower.work();
            spool.work();
            if (spool.isDown() && world.oneIn(3)) {
                startSpool();
            }
        }
    }

    private void startSpool() {
        try {
            spool.start();
        } catch (IOException e) {
            world.tell("the worker does not start: %s", e.getMessage());
        }
    }

    private void crash() throws Exception {
        SimulatedJob job = jobs.current();
        if (job.isSuperseded()) {
            return;
        }
        List<Checkpoint> completed = job.completed();
        boolean older = world.oneIn(4) && completed.size() > 1;
        Checkpoint from = older ? completed.get(world.random.nextInt(completed.size())) : job.newest();
        if (from == null && jobs.isAnnounced()) {
            return;
        }
        world.tell(
                "job %d fails and goes on from %s", job.number(), from == null ? "nothing" : "checkpoint " + from.id());
        job.crash();
        if (world.oneIn(3)) {
            pass(world.random.nextInt(30_000));
            if (world.oneIn(2)) {
                operators.delete();
            }
        }
        job.start(from);
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
        SimulatedJob job = jobs.current();
        boolean down = job.run() != null && world.random.nextBoolean();
        if (down) {
            jobs.failAfterCheckpoint(job);
            job.loseTransactions();
        }
        long millis = World.RETENTION_MILLIS / 2 + world.random.nextInt((int) World.RETENTION_MILLIS);
        world.tell("an outage of %d ms%s", millis, down ? ", job " + job.number() + " is down" : "");
        world.pass(millis);
        world.forget();
        produce();
        produce();
        if (down && !job.isSuperseded() && (job.newest() != null || !jobs.isAnnounced())) {
            job.start(job.newest());
        }
    }

    /** Nothing goes wrong any more, for long enough. */
    private void rest() throws Exception {
        world.tell("from now on all is well");
        world.store.away(false);
        world.store.meanwhile(() -> {});
        world.store.betweenLooks(() -> {});
        SimulatedJob last = jobs.current();
        last.pause(false);
        last.cutOff(false);
        for (SimulatedJob job : jobs.all()) {
            job.pause(false);
        }
        if (last.run() == null && !last.isSuperseded()) {
            last.start(last.newest());
        }
        spool.heal();
        if (follower.isCutOff()) {
            follower.cutOff(false);
            world.pass(REREAD_MILLIS);
        }
        // A lane whose folder is empty waits: that is not its store. Where an answer waits, it does not. A delete of
        // before
        // shall not take that answer along.
        world.pass(Clocks.FAR_MILLIS);
        World.SCOPES.forEach(scope -> send(world.truth.answer(scope, world.now())));
        for (int round = 0; round < REST_ROUNDS_MAX && !(round > REST_ROUNDS_MIN && isAtRest()); round++) {
            world.pass(round < LATER_ROUND ? ROUND_MILLIS : LATER_ROUND_MILLIS);
            for (SimulatedJob job : jobs.all()) {
                jobs.workWell(job);
            }
            follower.workWell();
            spool.work();
            world.books.check();
        }
        checkAtRest();
    }

    private void checkAtRest() {
        new RestRules(world).check();
        follower.checkAtRest();
        world.reports.checkAtRest(spool.pending());
    }

    private boolean isAtRest() {
        try {
            checkAtRest();
            return true;
        } catch (BrokenInvariantException notYet) {
            return false;
        }
    }
}
