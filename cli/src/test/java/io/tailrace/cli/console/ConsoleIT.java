package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.cli.fleet.FleetOptions;
import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.jobs.topics.TopicCreation;
import io.tailrace.local.EmbeddedBroker;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands and console beside a real broker. */
@Tag("full")
final class ConsoleIT {
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final Duration FOLLOWED_MAX = Duration.ofSeconds(30);
    private static final long NOW = System.currentTimeMillis();

    @TempDir
    private static Path folder;

    private static EmbeddedBroker broker;

    private final StringWriter out = new StringWriter();

    @BeforeAll
    static void fleet() throws Exception {
        broker = EmbeddedBroker.start(folder);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            new TopicCreation(admin).run("", TopicCreation.DEFAULT_REPLICATION);
        }
        write(Topic.SNAPSHOTS, "toy@1/acme#junk", new byte[] {1});
        version(NOW - 7_200_000, 3);
        version(NOW - 1_000, 5);
        write(
                Topic.WORKERS,
                "w1#" + LANE,
                RecordCodec.WORKER_STATUS.encode(FleetRecords.status(LANE, "w1", NOW - 7_200_000, NOW)));
        write(
                Topic.EVENTS,
                LANE.toString(),
                RecordCodec.EVENT.encode(
                        FleetRecords.event(EventKind.POLICY_REFUSED, LANE, "a trial ended", Map.of(), 1)));
        write(
                Topic.REJECTIONS,
                "generations-0-7",
                RecordCodec.REJECTION.encode(FleetRecords.rejection(LANE, "req-7", 7)));
        write(Topic.OUTCOMES, "req-1", RecordCodec.OUTCOME.encode(FleetRecords.outcome(LANE, "w1", 4)));
    }

    @AfterAll
    static void end() {
        broker.close();
    }

    private static void version(long version, int documents) throws Exception {
        SnapshotManifest manifest = FleetRecords.manifest(LANE, version, 1, documents, 0);
        write(Topic.SNAPSHOTS, LANE + "#" + version, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    private static void write(Topic topic, String key, byte[] value) throws Exception {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", broker.bootstrap()));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic.name(""), key.getBytes(StandardCharsets.UTF_8), value))
                    .get();
        }
    }

    private int run(String line) {
        out.getBuffer().setLength(0);
        CommandLine tailrace = Tailrace.commandLine().setOut(new PrintWriter(out));
        return tailrace.execute((line + " --bootstrap " + broker.bootstrap()).split(" ", -1));
    }

    @Test
    void commandsSayWhatTheTopicsHold() {
        assertThat(run("lanes")).isZero();
        assertThat(out.toString()).containsPattern("toy@1/acme +5 +50 +- +2 +" + (NOW - 1_000));
        assertThat(run("workers")).isZero();
        assertThat(out.toString()).containsPattern("w1 +toy@1/acme +" + (NOW - 7_200_000) + " +1 +1 h 59 min .*1\\.00");
        assertThat(run("events")).isZero();
        assertThat(out.toString()).contains("POLICY_REFUSED  toy@1/acme  a trial ended");
        assertThat(run("rejections --json")).isZero();
        assertThat(out.toString()).startsWith("{").contains("\"requestId\":\"req-7\"");
        assertThat(run("generation req-7")).isOne();
        assertThat(out.toString()).contains("req-7: rejected", "TOKEN_OUT_OF_VOCABULARY");
        assertThat(run("generation nobody")).isOne();
        assertThat(out.toString()).contains("nobody: unknown");
        assertThat(run("snapshots show --lane toy@1/acme -1")).isZero();
        assertThat(out.toString()).contains("documents").containsPattern("documents +3\n");
        assertThat(run("snapshots diff --lane toy@1/acme 1h newest")).isZero();
        assertThat(out.toString()).containsPattern("documents +3 +5");
    }

    /** A worker that has reported a moment ago, with the lane's older version, and then stands still. */
    @ParameterizedTest
    @ValueSource(longs = {-90_000, 90_000})
    void pinAndRollbackWaitForAWorkerWhoseClockIsWrong(long ahead) throws Exception {
        LaneId lane = LaneId.parse("toy@1/clock" + ahead);
        for (long version : List.of(NOW - 9_000, NOW - 8_000)) {
            SnapshotManifest manifest = FleetRecords.manifest(lane, version, 1, 5, 0);
            write(Topic.SNAPSHOTS, lane + "#" + version, RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
        }
        for (String command : List.of("pin", "rollback")) {
            long clock = System.currentTimeMillis() + ahead;
            write(
                    Topic.WORKERS,
                    "skewed#" + lane,
                    RecordCodec.WORKER_STATUS.encode(FleetRecords.status(lane, "skewed", NOW - 8_000, clock)));
            String line = "snapshots %s --lane %s %d --wait-seconds 1";
            assertThat(run(line.formatted(command, lane, NOW - 9_000))).isOne();
            assertThat(out.toString())
                    .contains("worker skewed serves version " + (NOW - 8_000), "0 of 1 live workers have followed");
        }
    }

    @Test
    void anEventThatComesLaterIsPrintedDecoded() throws Exception {
        requireFollowed(
                "events",
                "a trial ended",
                Topic.EVENTS,
                RecordCodec.EVENT.encode(FleetRecords.event(EventKind.UNPINNED, LANE, "it came later", Map.of(), 1)),
                "UNPINNED  toy@1/acme  it came later");
    }

    @Test
    void aRejectionThatComesLaterIsPrintedDecoded() throws Exception {
        requireFollowed(
                "rejections",
                "request req-7",
                Topic.REJECTIONS,
                RecordCodec.REJECTION.encode(FleetRecords.rejection(LANE, "req-later", 8)),
                "generations-0 at offset 8  request req-later: token ids must be below 1000");
    }

    /** Until nobody reads what is printed. */
    private static void requireFollowed(String command, String before, Topic topic, byte[] later, String line)
            throws Exception {
        Reader reader = new Reader();
        CommandLine tailrace = Tailrace.commandLine().setOut(new PrintWriter(reader));
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(
                () -> tailrace.execute(command, "--follow", "--bootstrap", broker.bootstrap()));
        Awaitility.await(before).atMost(FOLLOWED_MAX).until(() -> reader.read().contains(before));
        assertThat(reader.read()).doesNotContain(line);
        write(topic, "later", later);
        Awaitility.await(line).atMost(FOLLOWED_MAX).until(() -> reader.read().contains(line));
        assertThat(code).isNotDone();
        reader.close();
        assertThat(code).succeedsWithin(FOLLOWED_MAX).isEqualTo(0);
    }

    /** Who reads what is printed, as far as it is flushed, and goes away. */
    private static final class Reader extends Writer {
        private final StringBuilder written = new StringBuilder();
        private volatile String flushed = "";
        private volatile boolean gone;

        @Override
        public void write(char[] from, int offset, int length) {
            written.append(from, offset, length);
        }

        @Override
        public void flush() throws IOException {
            if (gone) {
                throw new IOException("nobody reads");
            }
            flushed = written.toString();
        }

        String read() {
            return flushed;
        }

        @Override
        public void close() {
            gone = true;
        }
    }

    @Test
    void everyPageShowsWhatTheTopicsHoldAndWhatComes() throws Exception {
        try (InProcess console = new InProcess()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() ->
                            assertThat(console.page("/")).contains("toy@1/acme").doesNotContain("class=\"trouble\""));
            assertThat(console.page("/lane?lane=toy%401%2Facme"))
                    .contains("w1", "store unreachable", Long.toString(NOW - 1_000));
            assertThat(console.page("/learning")).contains("a trial ended", "own-context");
            assertThat(console.page("/outcomes")).contains("newest", "own");
            assertThat(console.page("/rejections")).contains("req-7");
            assertThat(console.page("/generation?id=req-7")).contains("req-7: rejected");
            assertThat(console.page("/books")).contains("0 ever written to topic generations");
            assertThat(console.page("/chart.js")).contains("Chart.js");
            write(
                    Topic.EVENTS,
                    LANE.toString(),
                    RecordCodec.EVENT.encode(FleetRecords.event(EventKind.PINNED, LANE, "it just came", Map.of(), 1)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(console.page("/events")).contains("it just came"));
        }
    }

    /** By the name of another site a page's script could read what is shown here. */
    @Test
    void anotherSitesNameIsNotAnswered() throws Exception {
        try (InProcess console = new InProcess();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), console.port())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: evil.example:80\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain("acme");
        }
    }

    /** The console as the command starts it, on a free port. */
    private static final class InProcess implements AutoCloseable {
        private final HttpClient client = HttpClient.newHttpClient();
        private final FollowedFleet fleet = FollowedFleet.start(options().topics());
        private final Console console;

        InProcess() throws Exception {
            console = Console.start(fleet, Optional.empty(), Optional.empty(), "127.0.0.1", 0);
        }

        private static FleetOptions options() {
            FleetOptions options = new FleetOptions();
            new CommandLine(options).parseArgs("--bootstrap", broker.bootstrap());
            return options;
        }

        int port() {
            return console.port();
        }

        String page(String path) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + path))
                    .build();
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
            return answer.body();
        }

        @Override
        public void close() {
            console.close();
            fleet.close();
        }
    }
}
