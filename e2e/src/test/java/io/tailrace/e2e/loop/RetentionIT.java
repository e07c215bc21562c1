package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A small lane that outgrows its budget, through a real broker and Flink. Stages of one story, in their order. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RetentionIT {
    private static final long SEED = 20_261_121L;
    private static final LaneId LANE = Fleet.MODEL.lane("alpha");
    /** Long answers fill the lane, short ones are traffic to judge by. */
    private static final int LONG = 80;

    private static final int SHORT = 8;
    private static final long BUDGET = 400_000;
    private static final Duration EVENT_MAX = Duration.ofMinutes(2);
    private static final int STEPS_MAX = 40;

    @TempDir
    static Path folder;

    private static LoopUnderLoad loop;
    private static LoopObserver observer;
    private static Fleet fleet;
    private static TopicReader topics;
    private static KafkaProducer<byte[], byte[]> producer;
    private static int made;
    private static long tokens;

    @BeforeAll
    static void startTheLoop() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL)
                .withJobArguments(
                        "--shards",
                        "4",
                        "--evaluation-share",
                        "1",
                        "--evaluation-busy-share",
                        "1",
                        "--policy-seconds",
                        "3600",
                        "--lane-tokens",
                        Long.toString(BUDGET),
                        "--newest-tokens",
                        Long.toString(BUDGET / 2)));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, SEED);
        topics = new TopicReader(loop.loop().bootstrap());
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", loop.loop().bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void stopTheLoop() {
        if (producer != null) {
            producer.close();
        }
        if (observer != null) {
            observer.close();
        }
        if (loop != null) {
            loop.close();
        }
    }

    /** The n-th text: like no other. */
    private static int[] text(int n, int length) {
        return new Random(SEED + 31L * n).ints(length, 0, Fleet.CANARIES_FROM).toArray();
    }

    private static Future<RecordMetadata> produce(int[] response) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Generation generation = new Generation(
                "retention-" + made++, LANE.toLane(), "test", null, TokenIds.toList(response), now, now, 0f);
        tokens += response.length;
        return producer.send(
                new ProducerRecord<>(Topic.GENERATIONS.name(""), RecordCodec.GENERATION.encode(generation)));
    }

    /** So many answers that nobody has asked for before. */
    private static void grow(int count, int length) throws Exception {
        Future<RecordMetadata> last = null;
        for (int i = 0; i < count; i++) {
            last = produce(text(made, length));
        }
        last.get();
        fleet.awaitSettled();
    }

    /** Grows to a share of the budget. */
    private static void growTo(double share) throws Exception {
        grow((int) ((share * BUDGET - liveTokens()) / LONG), LONG);
    }

    private static List<Event> events(EventKind... kinds) throws Exception {
        List<EventKind> wanted = List.of(kinds);
        return topics.read(Topic.EVENTS, RecordCodec.EVENT).stream()
                .filter(event -> wanted.contains(event.getKind()))
                .toList();
    }

    private static Event await(EventKind kind, int number) {
        return Awaitility.await(kind + " " + number)
                .atMost(EVENT_MAX)
                .until(() -> events(kind), found -> found.size() >= number)
                .get(number - 1);
    }

    /** Grows until there is such an event. */
    private static Event growUntil(EventKind kind, int number) throws Exception {
        for (int step = 0; step < STEPS_MAX; step++) {
            List<Event> found = events(kind);
            if (found.size() >= number) {
                return found.get(number - 1);
            }
            grow(60, SHORT);
        }
        return await(kind, number);
    }

    private static long liveTokens() throws Exception {
        List<SnapshotManifest> all = topics.read(Topic.SNAPSHOTS, RecordCodec.SNAPSHOT_MANIFEST);
        return all.isEmpty()
                ? 0
                : all.get(all.size() - 1).getSegments().stream()
                        .mapToLong(SegmentReference::getLiveTokens)
                        .sum();
    }

    private static long trial(Event event) {
        return event.getNumbers().get("trial");
    }

    @Test
    @Order(1)
    void nearItsBudgetALaneAsksWhetherTheOldestMayGo() throws Exception {
        growTo(0.945);
        assertThat(events(EventKind.RETENTION_PROPOSED)).isEmpty();
        Event proposed = growUntil(EventKind.RETENTION_PROPOSED, 1);
        assertThat(proposed.getNumbers().get("tokens")).isBetween(BUDGET / 25, BUDGET / 10);
        assertThat(proposed.getRetention().getReplaced()).hasSize(1);
        assertThat(proposed.getRetention().getSegments()).hasSize(1);
        assertThat(liveTokens()).isGreaterThan((long) (0.95 * BUDGET));
    }

    @Test
    @Order(2)
    void theJudgementGoesOnAfterASavepointWithAnotherParallelism() throws Exception {
        grow(60, SHORT);
        loop.loop().restartJob(loop.loop().job().stopWithSavepoint(), 1);
        Event adopted = growUntil(EventKind.RETENTION_ADOPTED, 1);
        assertThat(trial(adopted))
                .isEqualTo(trial(events(EventKind.RETENTION_PROPOSED).get(0)));
        assertThat(adopted.getNumbers().get("generations")).isBetween(200L, 1_000L);
        assertThat(events(EventKind.RETENTION_FORCED, EventKind.RETENTION_REFUSED, EventKind.RETENTION_WITHDRAWN))
                .isEmpty();
        long left = tokens - adopted.getNumbers().get("tokens");
        Awaitility.await("a version without them").atMost(EVENT_MAX).until(() -> liveTokens() == left);
    }

    @Test
    @Order(3)
    void whatTheTrafficComesBackToStays() throws Exception {
        int oldest =
                (int) (events(EventKind.RETENTION_ADOPTED).get(0).getNumbers().get("tokens") / LONG) + 1;
        growTo(0.945);
        Event proposed = growUntil(EventKind.RETENTION_PROPOSED, 2);
        for (int i = 0; i < 60; i++) {
            produce(text(oldest + i, LONG)).get();
        }
        Event refused = await(EventKind.RETENTION_REFUSED, 1);
        assertThat(trial(refused)).isEqualTo(trial(proposed));
        assertThat(refused.getMessage()).contains("worse than the live one");
        assertThat(events(EventKind.RETENTION_ADOPTED)).hasSize(1);
        assertThat(liveTokens()).isGreaterThan((long) (0.95 * BUDGET));
    }

    @Test
    @Order(4)
    void butPastTheBudgetItGoesInAnyCase() throws Exception {
        growTo(0.995);
        Event forced = growUntil(EventKind.RETENTION_FORCED, 1);
        assertThat(forced.getNumbers().get("tokens")).isPositive();
        Awaitility.await("a version within the budget").atMost(EVENT_MAX).until(() -> liveTokens() < BUDGET);
        assertThat(fleet.awaitSettled().settled()).isTrue();
    }
}
