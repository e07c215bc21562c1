package io.tailrace.e2e.simulation;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.SimulatedFollowers;
import io.tailrace.e2e.simulation.SimulatedTopic.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
    private final Clocks.Clock clock;
    private final Bystanders bystanders;
    private SimulatedConsumer consumer;
    private SimulatedFollowers process;
    private QueuedThreads loads;
    private FollowerRules rules;
    private boolean cutOff;

    SimulatedFollower(World world) throws IOException {
        this.world = world;
        this.clock = world.clocks.clock();
        this.bystanders = new Bystanders(Files.createDirectories(world.folder.resolve("worker")));
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
                consumer.consumer(),
                MODEL,
                this::download,
                bystanders.cache(),
                world.workerTrusts(),
                loads,
                world.fault == Fault.WORKERS_TAKE_ANY_VERSION ? this::beyondAnyVersion : clock::now);
    }

    /** By this clock no version is ahead, but for the last that there are. */
    private long beyondAnyVersion() {
        return Long.MAX_VALUE / 2 + clock.now();
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
            if (world.fault == Fault.WORKERS_TAKE_ANY_FILE_NAME) {
                consumer.polled().getOrDefault("snapshots", List.of()).forEach(this::deleteDamaged);
            }
        }
        rules.check(process.live());
        rules.checkTime();
    }

    /** What is no segment is a damaged copy, and goes. */
    private void deleteDamaged(Written record) {
        boolean isNamed = record.forged()
                && record.value() != null
                && new String(record.value(), StandardCharsets.ISO_8859_1).contains(Bystanders.WAY);
        try {
            if (isNamed) {
                Files.deleteIfExists(bystanders.cache().resolve(Bystanders.WAY + ".segment"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        rules.checkAtRest(process.failures(clock.now()));
        bystanders.check();
    }

    @Override
    public void close() {
        process.close();
    }
}
