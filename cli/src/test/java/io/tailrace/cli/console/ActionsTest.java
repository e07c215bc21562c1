package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.fleet.FleetRecords;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.Commander;
import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.TopicsInMemory;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what through the console's pages; nothing here has brokers. */
final class ActionsTest {
    private static final String ANNA = OperatorsTest.basic("anna", "a".repeat(32));
    private static final String BERT = OperatorsTest.basic("bert", "b".repeat(32));
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"(\\w+)\"");
    private static final LaneId LANE = LaneId.parse("toy@1/acme");
    private static final long VERSION = System.currentTimeMillis() - 5_000;
    private static final String PIN = "/act?action=pin&lane=toy%401%2Facme&version=" + VERSION;

    @TempDir
    private static Path folder;

    /** How many commands were about to be given. */
    private static final AtomicInteger given = new AtomicInteger();

    private static FollowedFleet fleet;
    private static Console console;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
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
        Commander commander = new Commander(ActionsTest::noBrokers, Optional.empty(), Duration.ZERO, "nobody");
        console = Console.start(
                fleet, Optional.of(new Actions(fleet, operators, commander)), Optional.empty(), "127.0.0.1", 0);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> fleet.ask(view -> view.lane(LANE.toString()).isPresent()));
    }

    private static LoopTopics noBrokers() {
        given.incrementAndGet();
        throw new IllegalStateException("no brokers here");
    }

    @BeforeEach
    void nothingIsGiven() {
        given.set(0);
    }

    @AfterAll
    static void end() {
        console.close();
        fleet.close();
    }

    private String origin() {
        return "http://127.0.0.1:" + console.port();
    }

    private HttpResponse<String> get(String path, String authorization) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + path));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> confirm(String token, String authorization, String origin) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + "/act"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("token=" + token));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        if (origin != null) {
            request.header("Origin", origin);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String token() throws Exception {
        HttpResponse<String> page = get(PIN, ANNA);
        assertThat(page.statusCode()).isEqualTo(200);
        Matcher token = TOKEN.matcher(page.body());
        assertThat(token.find()).as(page.body()).isTrue();
        return token.group(1);
    }

    @Test
    void withoutOperatorsThereAreNoActions() throws Exception {
        try (Console plain = Console.start(fleet, Optional.empty(), Optional.empty(), "127.0.0.1", 0)) {
            URI act = URI.create("http://127.0.0.1:%d%s".formatted(plain.port(), PIN));
            HttpRequest.Builder request = HttpRequest.newBuilder(act).header("Authorization", ANNA);
            assertThat(client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(404);
            HttpRequest.Builder post = request.POST(HttpRequest.BodyPublishers.noBody());
            assertThat(client.send(post.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(404);
            URI lane = URI.create("http://127.0.0.1:%d/lane".formatted(plain.port()));
            assertThat(client.send(HttpRequest.newBuilder(lane).build(), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("toy@1/acme")
                    .doesNotContain("/act");
        }
        assertThat(get("/lane", null).body()).contains("action=\"/act\"");
    }

    @Test
    void nobodyActsWithoutSigningOn() throws Exception {
        HttpResponse<String> unknown = get(PIN, null);
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic realm="));
        assertThat(unknown.body()).doesNotContain("toy@1/acme");
        assertThat(get(PIN, OperatorsTest.basic("anna", "b".repeat(32))).statusCode())
                .isEqualTo(401);
        assertThat(confirm(token(), null, origin()).statusCode()).isEqualTo(401);
        assertThat(given).hasValue(0);
    }

    @Test
    void aPageOfAnotherSiteConfirmsNothing() throws Exception {
        String token = token();
        for (String origin : new String[] {null, "null", "http://evil.example", "http://127.0.0.1:1", "??"}) {
            assertThat(confirm(token, ANNA, origin).statusCode())
                    .as("%s", origin)
                    .isEqualTo(403);
        }
        assertThat(confirm("0".repeat(64), ANNA, origin()).statusCode()).isEqualTo(409);
        assertThat(confirm(token, BERT, origin()).statusCode()).isEqualTo(409);
        assertThat(given).hasValue(0);
    }

    @Test
    void thePreviewSaysWhoWouldServeWhatAndConfirmsOnce() throws Exception {
        assertThat(get(PIN, ANNA).body())
                .contains("Nothing has happened yet", "command of anna", "w1", "Now not pinned")
                .contains(Long.toString(VERSION));
        assertThat(given).hasValue(0);
        String token = token();
        HttpResponse<String> done = confirm(token, ANNA, origin());
        assertThat(done.body()).contains("no brokers here");
        assertThat(done.statusCode()).isEqualTo(502);
        assertThat(given).hasValue(1);
        assertThat(confirm(token, ANNA, origin()).statusCode()).isEqualTo(409);
        assertThat(given).hasValue(1);
    }

    @Test
    void aVersionThatIsNotThereHasNoPreview() throws Exception {
        HttpResponse<String> page = get("/act?action=rollback&lane=toy%401%2Facme&version=5", ANNA);
        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("has no version 5").doesNotContain("name=\"token\"");
    }
}
