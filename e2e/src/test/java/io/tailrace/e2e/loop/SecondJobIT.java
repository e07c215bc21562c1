package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.LaneState;
import io.tailrace.jobs.IndexJob;
import io.tailrace.jobs.kafka.KafkaControlHistory;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalFlink;
import io.tailrace.local.LocalJob;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second job, on a cluster of its own, with default names, on the topics of one that runs. */
@Tag("full")
class SecondJobIT {
    private static final Duration JOB_MAX = Duration.ofSeconds(60);
    private static final int ANSWERS = 12;
    private static final int TRIES = 12;
    /**
     * Two clusters are in one JVM here, and the connector keeps what a writer shares with its committer by this prefix and the number of the attempt for all of
     * it. What the first left open is found by the prefix that the state names.
     */
    private static final String PREFIX = "second";

    /** How often tasks of the second tried to open. Static, since the store's factory is serialised on its way to them. */
    private static final AtomicInteger TRIED = new AtomicInteger();
    /** So far the clock of the first is ahead. */
    private static final long LATE_MILLIS = 20_000;

    @TempDir
    private Path folder;

    private LoopUnderLoad loop;
    private LoopObserver observer;
    private Fleet fleet;
    private LoadWorker worker;
    private LocalFlink elsewhere;

    @BeforeEach
    void oneJobRuns() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL).withJobArguments("--shards", "4"));
        observer = loop.observe();
        fleet = new Fleet(loop, observer, 7);
        worker = loop.addWorker("worker");
        serve("before");
        elsewhere = LocalFlink.start(new LocalFlink.Options(folder.resolve("elsewhere"), 0, 1, 2, Map.of()));
    }

    @AfterEach
    void close() throws Exception {
        if (elsewhere != null) {
            elsewhere.close();
        }
        observer.close();
        loop.close();
    }

    @Test
    void aSecondJobWithoutStateEndsAndTheFirstGoesOn() throws Exception {
        List<Long> announced = versions();
        LocalJob second = submit(null);
        Awaitility.await().atMost(JOB_MAX).until(() -> second.status() == JobStatus.FAILED);
        assertThat(second.failure())
                .contains("versions are announced, and this job starts without state")
                .contains("--start-empty");
        assertThat(loop.loop().job().status()).isEqualTo(JobStatus.RUNNING);
        assertThat(versions()).containsAll(announced);
        serve("after");
        assertThat(versions()).hasSizeGreaterThan(announced.size());
    }

    @Test
    void aSecondJobFromTheStateOfTheFirstTakesOver() throws Exception {
        LocalJob first = loop.loop().job();
        LocalJob second = submit(first.savepoint());
        second.awaitRunning(JOB_MAX);
        Awaitility.await().atMost(JOB_MAX).until(() -> first.status() == JobStatus.FAILED);
        assertThat(first.failure())
                .contains("another job took this installation over at ")
                .contains(second.id().toHexString())
                .contains("--take-over");
        second.awaitCheckpoint(JOB_MAX);
        long before = versions().get(versions().size() - 1);
        answer("after");
        Awaitility.await().atMost(JOB_MAX).until(() -> versions().stream().anyMatch(version -> version > before));
        assertThat(second.status()).isEqualTo(JobStatus.RUNNING);
        aManifestOfTheFirstIsLeftOut();
        second.cancel();
    }

    /** Some of its tasks cannot open, however often they try. Meanwhile the first goes on as if there were no other. */
    @Test
    void aSecondJobThatNeverGetsAllItsTasksToRunIsNoHarmToTheFirst() throws Exception {
        LocalJob first = loop.loop().job();
        TRIED.set(0);
        LocalJob second = submit(first.savepoint(), () -> {
            TRIED.incrementAndGet();
            throw new IOException("this store opens for nobody");
        });
        Awaitility.await().atMost(JOB_MAX).until(() -> TRIED.get() >= TRIES);
        long before = versions().get(versions().size() - 1);
        answer("beside");
        Awaitility.await().atMost(JOB_MAX).until(() -> versions().stream().anyMatch(version -> version > before));
        assertThat(TRIED.get()).isGreaterThan(TRIES);
        assertThat(claims()).hasSize(2);
        assertThat(first.restarts()).isZero();
        second.cancel();
    }

    /** As if the first had been cut off before it announced, and were connected again. */
    private void aManifestOfTheFirstIsLeftOut() throws Exception {
        assertThat(manifests().get(0).getEpoch()).isEqualTo(1);
        Awaitility.await().atMost(JOB_MAX).until(() -> state().loadedVersion() == newest().getVersion());
        SnapshotManifest newest = newest();
        assertThat(newest.getEpoch()).isEqualTo(2);
        SnapshotManifest late = announceLate(newest, 1);
        answer("later");
        Awaitility.await().atMost(JOB_MAX).until(() -> {
            assertThat(state().loadedVersion()).isNotEqualTo(late.getVersion());
            return state().loadedVersion() > newest.getVersion();
        });
    }

    /** Whoever may write the topic may make an epoch up. The job withdraws what is not its own, and workers hear the job again. */
    @Test
    void aManifestOfAnEpochOfNoJobIsWithdrawn() throws Exception {
        List<SnapshotManifest> manifests = manifests();
        SnapshotManifest junk = announceLate(manifests.get(manifests.size() - 1), Epochs.MAX);
        Awaitility.await().atMost(JOB_MAX).until(() -> state().announcedVersion() > junk.getVersion());
        Awaitility.await().atMost(JOB_MAX).until(() -> state().loadedVersion() == state().announcedVersion());
        assertThat(new TopicReader(loop.loop().bootstrap()).served())
                .extracting(SnapshotManifest::getVersion)
                .doesNotContain(junk.getVersion());
        long before = state().loadedVersion();
        answer("after");
        Awaitility.await().atMost(JOB_MAX).until(() -> state().loadedVersion() > before);
        assertThat(loop.loop().job().status()).isEqualTo(JobStatus.RUNNING);
    }

    /** The manifest as if it were of that epoch and a later version. */
    private SnapshotManifest announceLate(SnapshotManifest newest, long epoch) throws Exception {
        SnapshotManifest late = SnapshotManifest.newBuilder(newest).build();
        late.setVersion(newest.getVersion() + LATE_MILLIS);
        late.setEpoch(epoch);
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] key = (LaneId.of(late.getLane()) + "#" + late.getVersion()).getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(
                            Topic.SNAPSHOTS.name(""), key, RecordCodec.SNAPSHOT_MANIFEST.encode(late)))
                    .get();
        }
        return late;
    }

    private LaneState state() {
        return worker.views().stream()
                .map(LoadWorker.LaneView::state)
                .filter(state -> state.lane().scope().equals("alpha"))
                .findFirst()
                .orElseThrow();
    }

    /** Of those announced by now: one more may follow the first of a job that has taken over. */
    private SnapshotManifest newest() throws Exception {
        List<SnapshotManifest> manifests = manifests();
        return manifests.get(manifests.size() - 1);
    }

    private List<SnapshotManifest> manifests() throws Exception {
        return new TopicReader(loop.loop().bootstrap()).manifests();
    }

    private void serve(String id) throws Exception {
        answer(id);
        fleet.awaitSettled();
    }

    private void answer(String id) throws Exception {
        for (int i = 0; i < ANSWERS; i++) {
            worker.serve(fleet.request(id + "-" + i, "alpha"));
        }
    }

    private List<Long> versions() throws Exception {
        return manifests().stream().map(SnapshotManifest::getVersion).toList();
    }

    private List<ControlCommand> claims() throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", loop.loop().bootstrap());
        return new KafkaControlHistory(properties, Topic.CONTROL.name(""), TrustedKeys.none())
                .read().stream()
                        .filter(command -> command.command() == Command.CLAIM)
                        .toList();
    }

    private LocalJob submit(String restoreFrom) throws Exception {
        return submit(restoreFrom, FlinkFileStore.factory(loop.loop().store()));
    }

    private LocalJob submit(String restoreFrom, DurableStore.Factory stores) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap", loop.loop().bootstrap(),
                "--transactional-id-prefix", PREFIX,
                "--store", loop.loop().store().toString(),
                "--shards", "4",
                "--model",
                        "%s@%s,vocabulary=%d,tokenizer=%s"
                                .formatted(
                                        Fleet.MODEL.model(),
                                        Fleet.MODEL.revision(),
                                        Fleet.MODEL.vocabularySize(),
                                        Fleet.MODEL.tokenizerFingerprint())));
        IndexJobOptions options = IndexJobOptions.parse(arguments.toArray(new String[0]));
        return elsewhere.submit(
                IndexJob.NAME, environment -> IndexJob.build(environment, options, stores), restoreFrom);
    }
}
