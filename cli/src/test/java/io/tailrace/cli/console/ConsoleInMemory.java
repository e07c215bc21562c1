package io.tailrace.cli.console;

import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A console with operators anna and bert, of a fleet with one lane; nothing here has brokers. */
final class ConsoleInMemory implements AutoCloseable {
    static final String ANNA = OperatorsTest.basic("anna", "a".repeat(32));
    static final String BERT = OperatorsTest.basic("bert", "b".repeat(32));
    static final long VERSION = System.currentTimeMillis() - 5_000;
    static final String PIN = "/act?action=pin&lane=toy%401%2Facme&version=" + VERSION;
    private static final LaneId LANE = LaneId.parse("toy@1/acme");

    /** How many commands were about to be given. */
    final AtomicInteger given = new AtomicInteger();

    final FollowedFleet fleet;
    private final Console console;

    ConsoleInMemory(Path folder) throws IOException {
        TopicsInMemory topics = new TopicsInMemory();
        topics.put(
                Topic.SNAPSHOTS,
                LANE + "#" + VERSION,
                RecordCodec.SNAPSHOT_MANIFEST.encode(FleetRecords.manifest(LANE, VERSION, 1, 5, 0)));
        topics.put(
                Topic.WORKERS,
                "w1#" + LANE,
                RecordCodec.WORKER_STATUS.encode(FleetRecords.status(LANE, "w1", VERSION, VERSION)));
        fleet = FollowedFleet.start(topics::openPartitionwise);
        Operators operators = Operators.read(Files.writeString(
                folder.resolve("operators"), "%s anna\n%s bert\n".formatted("a".repeat(32), "b".repeat(32))));
        Commander commander = new Commander(this::noBrokers, Optional.empty(), Duration.ZERO, "nobody");
        console = Console.start(
                fleet, Optional.of(new Actions(fleet, operators, commander)), Optional.empty(), "127.0.0.1", 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> fleet.ask(view -> view.lane(LANE.toString()).isPresent()));
    }

    private LoopTopics noBrokers() {
        given.incrementAndGet();
        throw new IllegalStateException("no brokers here");
    }

    int port() {
        return console.port();
    }

    @Override
    public void close() {
        console.close();
        fleet.close();
    }
}
