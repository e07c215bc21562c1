package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.TestDoor;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.report.Reporter;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.ReportTopics;
import io.tailrace.schemas.TokenIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spools of models that no engine serves any more. */
class LeftReportsTest {
    @TempDir
    private Path folder;

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private Path spool;
    private Path ofModel;

    @BeforeEach
    void leave() throws IOException {
        spool = folder.resolve("spool");
        ofModel = spool.resolve("m%40r1");
        try (Reporter earlier = Reporter.spooled(
                "w", ofModel, Reporter.SPOOL_BYTES_MIN, LeftReportsTest::away, topics(), Duration.ZERO)) {
            earlier.generation(generation());
        }
    }

    @Test
    void areSentThoughOnlyAnotherModelsEngineConnects() throws IOException {
        AgentOptions options = new AgentOptions(
                "agent-1",
                ListenAddress.parse(folder.resolve("agent.sock").toString()),
                "public",
                model -> ClientOptions.alone(
                        "agent-1", model, FollowOptions.of(folder.toUri(), folder.resolve("cache"))),
                BudgetChoice::measured,
                Optional.empty(),
                Optional.of(new ModelSpools(spool, this::reporter)),
                "127.0.0.1",
                0);
        try (Agent agent = Agent.start(options);
                TestDoor door = new TestDoor(folder.resolve("agent.sock"))) {
            assertThat(door.hello("engine-1", 1_000, "m", "sha256:0")).isNull();
            await().until(() -> producer.history().size() == 1);
            await().until(() -> agent.live() && producer.closed());
        }
    }

    @Test
    void countUntilTheirModelsClientTakesThem() throws IOException {
        ModelSpools.Opener waits = each ->
                Reporter.spooled("w", each, Reporter.SPOOL_BYTES_MIN, LeftReportsTest::away, topics(), Duration.ZERO);
        try (LeftReports left = LeftReports.open(Optional.of(new ModelSpools(spool, waits)))) {
            left.closeEmpty();
            assertThat(left.reporters())
                    .singleElement()
                    .satisfies(each -> assertThat(each.spool().orElseThrow().pendingRecords())
                            .isEqualTo(1));
            left.giveUp(spool.resolve("m%40r2"));
            assertThat(left.reporters()).hasSize(1);
            left.giveUp(ofModel);
            assertThat(left.reporters()).isEmpty();
            try (Reporter taken = reporter(ofModel)) {
                assertThat(taken.live()).isTrue();
                await().until(() -> producer.history().size() == 1);
            }
        }
    }

    /** A model's client that has gone leaves what it could not send. */
    @Test
    void areTakenBackFromAClientThatHasGone() throws IOException {
        AtomicBoolean isThere = new AtomicBoolean();
        ModelSpools.Opener opener = of -> Reporter.spooled(
                "w", of, Reporter.SPOOL_BYTES_MIN, () -> isThere.get() ? producer : away(), topics(), Duration.ZERO);
        try (LeftReports left = LeftReports.open(Optional.of(new ModelSpools(spool, opener)))) {
            left.giveUp(ofModel);
            assertThat(left.reporters()).isEmpty();
            isThere.set(true);
            Path empty = Files.createDirectories(spool.resolve("m%40r2"));
            left.take(empty);
            assertThat(left.reporters()).as("nothing is there").isEmpty();
            left.take(ofModel);
            assertThat(left.reporters()).hasSize(1);
            await().until(() -> producer.history().size() == 1);
        }
    }

    /** Who looks, such as a probe, waits for none that closes. */
    @Test
    void areSeenWhileOneCloses() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        MockProducer<byte[], byte[]> slow =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public void close(Duration timeout) {
                        closing.countDown();
                        try {
                            goesOn.await(60, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                };
        ModelSpools.Opener opener =
                of -> Reporter.spooled("w", of, Reporter.SPOOL_BYTES_MIN, () -> slow, topics(), Duration.ZERO);
        try (LeftReports left = LeftReports.open(Optional.of(new ModelSpools(spool, opener)))) {
            await().until(() -> slow.history().size() == 1);
            Thread closer = new Thread(() -> left.giveUp(ofModel));
            closer.start();
            assertThat(closing.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(left.reporters()).isEmpty();
            left.closeEmpty();
            goesOn.countDown();
            closer.join();
        }
    }

    /** As of a volume's own {@code lost+found}. Here its path is too long, which stops a superuser, too. */
    @Test
    void areSentThoughAFolderBesideThemCannotBeOpened() throws IOException {
        Files.createDirectory(spool.resolve("x".repeat(250)));
        Path deep = folder;
        while (deep.toString().length() < 3_900) {
            deep = deep.resolve("d".repeat(Math.min(250, 3_901 - deep.toString().length())));
        }
        Path moved = Files.move(spool, Files.createDirectories(deep).resolve("spool"));
        try (LeftReports left = LeftReports.open(Optional.of(new ModelSpools(moved, this::reporter)))) {
            assertThat(left.reporters()).hasSize(1);
        } finally {
            Files.move(moved, spool);
        }
    }

    @Test
    void areNoneWhereThereIsNoSpool() throws IOException {
        try (LeftReports alone = LeftReports.open(Optional.empty());
                LeftReports first =
                        LeftReports.open(Optional.of(new ModelSpools(folder.resolve("new"), this::reporter)))) {
            assertThat(alone.reporters()).isEmpty();
            assertThat(first.reporters()).isEmpty();
        }
    }

    private Reporter reporter(Path of) throws IOException {
        return Reporter.spooled("w", of, Reporter.SPOOL_BYTES_MIN, () -> producer, topics(), Duration.ZERO);
    }

    private static MockProducer<byte[], byte[]> away() {
        throw new KafkaException("nobody there");
    }

    private static ReportTopics topics() {
        return ReportTopics.everybodys("");
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    private static Generation generation() {
        return Generation.newBuilder()
                .setRequestId("r")
                .setLane(new Lane("m", "r1", "s"))
                .setProducer("w")
                .setPrompt(null)
                .setResponse(TokenIds.toList(new int[] {1, 2}))
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .setTemperature(null)
                .build();
    }
}
