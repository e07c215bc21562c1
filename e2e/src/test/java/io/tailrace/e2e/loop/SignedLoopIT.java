package io.tailrace.e2e.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.cli.console.LocalConsole;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.LaneState;
import io.tailrace.lab.load.LoadWorker;
import io.tailrace.lab.loop.LoopObserver;
import io.tailrace.lab.loop.LoopUnderLoad;
import io.tailrace.local.LocalKeys;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.UntrustedRecordException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
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

/**
 * A loop whose announcements and commands are signed, and somebody who may write to its topics and has no key. Then the keys are changed. The tests
 * are stages of one story and run in their order.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SignedLoopIT {
    private static final Duration OBEYED_MAX = Duration.ofSeconds(60);
    private static final String SCOPE = "alpha";
    private static final LaneId LANE = Fleet.MODEL.lane(SCOPE);
    private static final RecordSigner STRANGER = RecordSigner.generated();
    private static final long MINUTES_30 = Duration.ofMinutes(30).toMillis();

    @TempDir
    static Path folder;

    private static LoopUnderLoad loop;
    private static LoopObserver observer;
    private static Fleet fleet;
    private static TopicReader topics;
    private static LoadWorker worker;
    /** Greater than every version that the job announces within half an hour. */
    private static long forgedVersion;

    @BeforeAll
    static void startTheLoop() throws Exception {
        loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, Fleet.MODEL)
                .withJobArguments("--shards", "4")
                .withSignatures());
        observer = loop.observe();
        fleet = new Fleet(loop, observer, 25519);
        topics = new TopicReader(loop.loop().bootstrap());
        worker = loop.addWorker("worker");
    }

    @AfterAll
    static void stopTheLoop() {
        if (observer != null) {
            observer.close();
        }
        if (loop != null) {
            loop.close();
        }
    }

    private static LocalKeys keys() {
        return loop.loop().keys().orElseThrow();
    }

    private static void serve(String id) {
        for (int i = 0; i < 10; i++) {
            worker.serve(fleet.request(id + "-" + i, SCOPE));
        }
        fleet.awaitSettled();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void put(Topic topic, byte[] key, byte[] value, byte[] signature) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", loop.loop().bootstrap());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic.name(""), key, value);
            if (signature != null) {
                record.headers().add(SignatureFormat.HEADER, signature);
            }
            producer.send(record).get();
        }
    }

    /** Puts a record without a signature, with a stranger's, and with one of the job's that belongs to another record. */
    private static int forge(Topic topic, byte[] key, byte[] value) throws Exception {
        put(topic, key, value, null);
        put(topic, key, value, STRANGER.sign(topic.name(""), key, value));
        put(topic, key, value, signature(newestRecord()));
        return 3;
    }

    private static ConsumerRecord<byte[], byte[]> newestRecord() {
        return topics.readRaw(Topic.SNAPSHOTS).stream()
                .filter(record -> record.value() != null && signature(record) != null)
                .filter(record -> !isForged(record))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static boolean isForged(ConsumerRecord<byte[], byte[]> record) {
        try {
            loop.loop().trustedKeys().check(record.topic(), record.key(), record.value(), signature(record));
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    private static byte[] signature(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(SignatureFormat.HEADER);
        return header == null ? null : header.value();
    }

    private static Control command(Command command, Long version) {
        return new Control(
                UUID.randomUUID().toString(),
                command,
                LANE.model(),
                LANE.revision(),
                LANE.scope(),
                version,
                null,
                "stranger",
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                null,
                false);
    }

    private static LaneState state(LoadWorker of) {
        return of.views().stream()
                .map(LoadWorker.LaneView::state)
                .filter(state -> state.lane().equals(LANE))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitSkipped(LoadWorker by, long records) {
        Awaitility.await("records left out").atMost(OBEYED_MAX).until(() -> by.skippedRecords() >= records);
        assertThat(by.skippedRecords()).isEqualTo(records);
    }

    private static String tailrace(int expected, String... arguments) {
        StringWriter said = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--bootstrap", loop.loop().bootstrap()));
        int code = Tailrace.commandLine()
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(all.toArray(String[]::new));
        assertThat(code).as("%s: %s", all, said).isEqualTo(expected);
        return said.toString();
    }

    @Test
    @Order(1)
    void theWorkerLoadsWhatTheJobSigned() {
        serve("first");
        fleet.awaitLoaded(worker, SCOPE);
        serve("second");
        fleet.awaitLoaded(worker, SCOPE);
        assertThat(worker.skippedRecords()).isZero();
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>(topics.readRaw(Topic.SNAPSHOTS));
        all.addAll(topics.readRaw(Topic.CONTROL));
        assertThat(all).hasSizeGreaterThan(2).noneMatch(SignedLoopIT::isForged);
    }

    @Test
    @Order(2)
    void forgedRecordsDoNothingToTheWorker() throws Exception {
        long loaded = state(worker).loadedVersion();
        SnapshotManifest forged =
                RecordCodec.SNAPSHOT_MANIFEST.decode(newestRecord().value());
        forgedVersion = System.currentTimeMillis() + MINUTES_30;
        forged.setVersion(forgedVersion);
        forged.getPolicy().setEnabled(false);
        int skipped =
                forge(Topic.SNAPSHOTS, utf8(LANE + "#" + forgedVersion), RecordCodec.SNAPSHOT_MANIFEST.encode(forged));
        skipped += forge(Topic.SNAPSHOTS, utf8(LANE + "#" + loaded), null);
        long earlier = topics.manifests().get(0).getVersion();
        for (Control control : List.of(
                command(Command.ROLLBACK, earlier),
                command(Command.PIN, earlier),
                command(Command.DELETE_SCOPE, null),
                command(Command.CLAIM, null))) {
            skipped += forge(Topic.CONTROL, utf8(control.getCommandId()), RecordCodec.CONTROL.encode(control));
        }
        awaitSkipped(worker, skipped);
        assertThat(earlier).isLessThan(loaded);
        assertThat(state(worker).loadedVersion()).isEqualTo(loaded);
        assertThat(state(worker).announcedVersion()).isEqualTo(loaded);
        consoleLeavesOut(skipped);
    }

    /** A console beside the loop shows the lane, and takes as much as the worker does. */
    private static void consoleLeavesOut(int records) throws Exception {
        try (LocalConsole console = LocalConsole.start(loop.loop())) {
            HttpRequest first = HttpRequest.newBuilder(console.address()).build();
            Awaitility.await("page Lanes")
                    .atMost(OBEYED_MAX)
                    .untilAsserted(() -> assertThat(HttpClient.newHttpClient()
                                    .send(first, HttpResponse.BodyHandlers.ofString())
                                    .body())
                            .contains(LANE + "</a>", "not signed by a trusted key: %d.".formatted(records))
                            .doesNotContain("class=\"trouble\""));
        }
    }

    @Test
    @Order(3)
    void theJobGoesOnAsIfTheyWereNotThere() throws Exception {
        long before = state(worker).loadedVersion();
        serve("after the forgery");
        fleet.awaitLoaded(worker, SCOPE);
        assertThat(state(worker).loadedVersion()).isGreaterThan(before).isLessThan(forgedVersion);
        assertThat(loop.loop().job().status()).isEqualTo(JobStatus.RUNNING);
    }

    /** It stands behind the forged ones: the job that obeys it has read them. */
    @Test
    @Order(4)
    void anOperatorWithTheKeyIsObeyedAndNobodyElseWas() throws Exception {
        String lane = LANE.toString();
        String trusted = keys().trusted().toString();
        long loaded = state(worker).loadedVersion();
        String listed = tailrace(0, "snapshots", "list", "--lane", lane, "--trusted-keys", trusted);
        assertThat(listed).contains(Long.toString(loaded)).doesNotContain(Long.toString(forgedVersion));
        String withoutKey =
                tailrace(2, "snapshots", "rollback", Long.toString(loaded), "--lane", lane, "--trusted-keys", trusted);
        assertThat(withoutKey).contains("--trusted-keys needs --signing-key");
        long target = Long.parseLong(listed.lines()
                .filter(line -> line.matches("\\s*\\d{13}.*"))
                .map(line -> line.strip().split(" ", -1)[0])
                .reduce((first, second) -> first)
                .orElseThrow());
        assertThat(target).isLessThan(loaded);
        tailrace(
                0,
                "snapshots",
                "rollback",
                Long.toString(target),
                "--lane",
                lane,
                "--trusted-keys",
                trusted,
                "--signing-key",
                keys().signing().toString());
        Awaitility.await("the rollback's announcement")
                .atMost(OBEYED_MAX)
                .until(() ->
                        genuine().stream().anyMatch(manifest -> manifest.getCause() == AnnouncementCause.ROLLBACK));
        assertThat(topics.events(EventKind.ROLLED_BACK)).hasSize(1);
        assertThat(topics.events(EventKind.PINNED)).isEmpty();
        assertThat(topics.events(EventKind.DELETED)).isEmpty();
        assertThat(loop.loop().job().status()).isEqualTo(JobStatus.RUNNING);
        assertThat(topics.readRaw(Topic.SNAPSHOTS))
                .as("a job that believed in the forged version would have withdrawn it, signed")
                .noneMatch(record -> new String(record.key(), StandardCharsets.UTF_8).endsWith("#" + forgedVersion)
                        && !isForged(record));
        assertThat(genuine()).allMatch(manifest -> manifest.getVersion() < forgedVersion);
    }

    private static List<SnapshotManifest> genuine() throws Exception {
        List<SnapshotManifest> manifests = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : topics.readRaw(Topic.SNAPSHOTS)) {
            if (record.value() != null && !isForged(record)) {
                manifests.add(RecordCodec.SNAPSHOT_MANIFEST.decode(record.value()));
            }
        }
        return manifests;
    }

    /** Readers trust both, then the job signs with the new one, then the old one is trusted no more. */
    @Test
    @Order(5)
    @Tag("full")
    void keysAreChangedOneAfterTheOther() throws Exception {
        keys().renew();
        LoadWorker both = loop.addWorker("trusts-both");
        Awaitility.await("a version of the old key")
                .atMost(OBEYED_MAX)
                .until(() -> both.views().stream().anyMatch(view -> view.state().loadedVersion() > 0));
        loop.loop().restartJob(loop.loop().job().stopWithSavepoint());
        observer.close();
        observer = loop.observe();
        fleet = new Fleet(loop, observer, 448);
        serve("of the new key");
        fleet.awaitLoaded(both, SCOPE);
        Path onlyNew = Files.writeString(folder.resolve("new.pem"), lastKey(keys().trusted()));
        long firstOfNewKey = firstVersionOf(TrustedKeys.read(List.of(onlyNew)));
        assertThat(state(both).loadedVersion()).isGreaterThanOrEqualTo(firstOfNewKey);
        assertThat(state(worker).loadedVersion())
                .as("it trusts the old key only")
                .isPositive()
                .isLessThan(firstOfNewKey);
        try (LoadWorker later = follow("trusts-the-new", TrustedKeys.read(List.of(onlyNew)))) {
            fleet.awaitLoaded(later, SCOPE);
            assertThat(later.skippedRecords()).as("those of the old key").isPositive();
        }
        assertThat(loop.loop().job().status()).isEqualTo(JobStatus.RUNNING);
    }

    private static long firstVersionOf(TrustedKeys keys) throws Exception {
        for (ConsumerRecord<byte[], byte[]> record : topics.readRaw(Topic.SNAPSHOTS)) {
            if (record.value() != null && isTrusted(keys, record)) {
                return RecordCodec.SNAPSHOT_MANIFEST.decode(record.value()).getVersion();
            }
        }
        throw new AssertionError("nothing was announced with the new key");
    }

    private static boolean isTrusted(TrustedKeys keys, ConsumerRecord<byte[], byte[]> record) {
        try {
            keys.check(record.topic(), record.key(), record.value(), signature(record));
            return true;
        } catch (UntrustedRecordException e) {
            return false;
        }
    }

    private static LoadWorker follow(String name, TrustedKeys trusted) throws Exception {
        FollowOptions options = FollowOptions.of(
                        loop.loop().store(), folder.resolve("cache").resolve(name))
                .withTrustedKeys(trusted);
        LoadWorker following = new LoadWorker(LoadWorker.Options.of(
                name, Fleet.MODEL, KafkaAccess.of(loop.loop().bootstrap()), options));
        following.start();
        return following;
    }

    private static String lastKey(Path file) throws Exception {
        String all = Files.readString(file);
        return all.substring(all.lastIndexOf("-----BEGIN"));
    }
}
