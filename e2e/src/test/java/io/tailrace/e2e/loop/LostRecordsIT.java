package io.tailrace.e2e.loop;

import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The job is away for longer than topic generations keeps its records, through a real broker and Flink. */
@Tag("full")
class LostRecordsIT {
    private static final Duration EVENT_MAX = Duration.ofMinutes(1);
    private static final int ANSWERS = 40;

    @TempDir
    private Path folder;

    private LoopUnderLoad loop;
    private LoopObserver observer;
    private Fleet fleet;
    /** By partition, the offset behind the last record. */
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    @BeforeEach
    void startTheLoop() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL).withJobArguments("--shards", "4"));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, 7);
    }

    @AfterEach
    void stopTheLoop() {
        observer.close();
        loop.close();
    }

    private void produce(String name, int answers) throws Exception {
        for (int i = 0; i < answers; i++) {
            String id = name + "-" + i;
            Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            Generation generation = Generation.newBuilder()
                    .setRequestId(id)
                    .setLane(Fleet.MODEL.lane("alpha").toLane())
                    .setProducer("test")
                    .setResponse(TokenIds.toList(fleet.request(id, "alpha").response()))
                    .setStartedAt(now)
                    .setCompletedAt(now)
                    .build();
            RecordMetadata written =
                    fleet.produce(id.getBytes(StandardCharsets.UTF_8), RecordCodec.GENERATION.encode(generation));
            ends.put(new TopicPartition(written.topic(), written.partition()), written.offset() + 1);
        }
    }

    @Test
    void whatTheTopicForgotBeforeTheJobReadItIsNamed() throws Exception {
        produce("before", ANSWERS);
        fleet.awaitSettled();
        String savepoint = loop.loop().job().stopWithSavepoint();
        produce("unread", ANSWERS);
        Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
        ends.forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end)));
        try (Admin admin = Admin.create(
                Map.<String, Object>of("bootstrap.servers", loop.loop().bootstrap()))) {
            admin.deleteRecords(all).all().get();
        }
        loop.loop().restartJob(savepoint);
        produce("after", ANSWERS);
        TopicReader topics = new TopicReader(loop.loop().bootstrap());
        Awaitility.await("the loss to be told")
                .atMost(EVENT_MAX)
                .until(() -> lost(topics.events(EventKind.RECORDS_LOST)) == ANSWERS);
        Awaitility.await("an account of it").atMost(EVENT_MAX).until(() -> {
            List<Event> accounts = topics.events(EventKind.ACCOUNTING);
            return accounts.stream().anyMatch(event -> event.getNumbers().getOrDefault("recordsLost", 0L) == ANSWERS);
        });
        Awaitility.await("an audit that explains every record")
                .atMost(EVENT_MAX)
                .until(() -> fleet.audit()
                        .contains(
                                "%d read by the job's accounts, %d lost to the topic's retention before it read them, %d ever written to topic %s; at most 0 wait"
                                        .formatted(2 * ANSWERS, ANSWERS, 3 * ANSWERS, Topic.GENERATIONS.name(""))));
    }

    private static long lost(List<Event> events) {
        return events.stream()
                .mapToLong(event -> event.getNumbers().get("records"))
                .sum();
    }
}
