package io.tailrace.e2e.simulation;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.SimulatedFollowers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.KafkaException;

/** A worker that follows lanes, over its processes. */
final class SimulatedFollower implements AutoCloseable {
    private static final ServedModel MODEL = new ServedModel(
            World.MODEL.model(),
            World.MODEL.revision(),
            World.MODEL.vocabularySize(),
            World.MODEL.tokenizerFingerprint());

    private final World world;
    private final Path cache;
    private SimulatedConsumer consumer;
    private SimulatedFollowers process;
    private QueuedThreads loads;
    private FollowerRules rules;
    private boolean cutOff;

    SimulatedFollower(World world) throws IOException {
        this.world = world;
        this.cache = Files.createDirectories(world.folder.resolve("worker"));
        start();
    }

    private void start() throws IOException {
        consumer = new SimulatedConsumer(
                List.of(world.control, world.snapshots, world.admitted),
                record -> world.fault != Fault.WORKERS_HEAR_NO_COMMANDS
                        || !record.key().startsWith(Operators.HOLDS));
        consumer.away(cutOff);
        if (world.fault == Fault.WORKERS_MISS_WITHDRAWALS) {
            consumer.rereadsNothing();
        }
        loads = new QueuedThreads();
        rules = new FollowerRules(world);
        process = new SimulatedFollowers(
                consumer.consumer(), MODEL, this::download, cache, world.workerTrusts(), loads, world::now);
    }

    private void download(String path, Path target) throws IOException {
        Files.write(target, world.store.bytes(path));
    }

    /** Reads some, loads some. */
    void work() {
        poll(world.oneIn(4) ? world.random.nextInt(4) : Integer.MAX_VALUE);
        while (!world.oneIn(3) && load()) {
            // What is left waits.
        }
    }

    /** Reads and loads all. */
    void workWell() {
        poll(Integer.MAX_VALUE);
        while (load()) {
            poll(Integer.MAX_VALUE);
        }
    }

    private void poll(int recordsMax) {
        consumer.recordsMax(recordsMax);
        try {
            process.poll();
        } catch (KafkaException away) {
            return;
        } finally {
            rules.heard(consumer.polled());
        }
        rules.check(process.live());
        rules.checkTime();
    }

    private boolean load() {
        boolean loaded = loads.runOne();
        rules.check(process.live());
        return loaded;
    }

    void startAgain() throws IOException {
        world.tell("the follower starts again");
        process.close();
        start();
    }

    void cutOff(boolean isCutOff) {
        cutOff = isCutOff;
        consumer.away(isCutOff);
        world.tell("the follower is %s", isCutOff ? "cut off" : "connected");
    }

    boolean isCutOff() {
        return cutOff;
    }

    void checkAtRest() {
        rules.checkAtRest(process.failures(world.now()));
    }

    @Override
    public void close() {
        process.close();
    }
}
