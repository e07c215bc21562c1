package io.tailrace.cli.console;

import static io.tailrace.cli.console.ConsoleInMemory.ANNA;
import static io.tailrace.cli.console.ConsoleInMemory.BERT;
import static io.tailrace.cli.console.ConsoleInMemory.PIN;
import static io.tailrace.cli.console.ConsoleInMemory.VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what through the console's pages; nothing here has brokers. */
final class ActionsTest {
    private static final Pattern TOKEN = Pattern.compile("name=\"token\" value=\"(\\w+)\"");

    @TempDir
    private static Path folder;

    private static ConsoleInMemory console;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        console = new ConsoleInMemory(folder);
    }

    @BeforeEach
    void nothingIsGiven() {
        console.given.set(0);
    }

    @AfterAll
    static void end() {
        console.close();
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
        try (Console plain = Console.start(console.fleet, Optional.empty(), Optional.empty(), "127.0.0.1", 0)) {
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
        assertThat(console.given).hasValue(0);
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
        assertThat(console.given).hasValue(0);
    }

    @Test
    void thePreviewSaysWhoWouldServeWhatAndConfirmsOnce() throws Exception {
        assertThat(get(PIN, ANNA).body())
                .contains("Nothing has happened yet", "command of anna", "w1", "Now not pinned")
                .contains(Long.toString(VERSION));
        assertThat(console.given).hasValue(0);
        String token = token();
        HttpResponse<String> done = confirm(token, ANNA, origin());
        assertThat(done.body()).contains("no brokers here");
        assertThat(done.statusCode()).isEqualTo(502);
        assertThat(console.given).hasValue(1);
        assertThat(confirm(token, ANNA, origin()).statusCode()).isEqualTo(409);
        assertThat(console.given).hasValue(1);
    }

    @Test
    void aVersionThatIsNotThereHasNoPreview() throws Exception {
        HttpResponse<String> page = get("/act?action=rollback&lane=toy%401%2Facme&version=5", ANNA);
        assertThat(page.statusCode()).isEqualTo(400);
        assertThat(page.body()).contains("has no version 5").doesNotContain("name=\"token\"");
    }

    @Test
    void whatIsNoFormIsRefusedWhateverItHolds() throws Exception {
        String token = token();
        for (String type : new String[] {"multipart/form-data; boundary=x", "text/plain", "??", null}) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin() + "/act"))
                    .header("Authorization", ANNA)
                    .header("Origin", origin())
                    .POST(HttpRequest.BodyPublishers.ofString("token=" + token));
            if (type != null) {
                request.header("Content-Type", type);
            }
            HttpResponse<String> refused = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).as("%s", type).isEqualTo(415);
            assertThat(refused.body()).contains("a form must be application/x-www-form-urlencoded");
        }
        assertThat(console.given).hasValue(0);
    }

    @Test
    void aCharsetThatNobodyHasIsRefused() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin() + "/"))
                .header("Content-Type", "text/plain; charset=none")
                .build();
        HttpResponse<String> refused = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("a request's charset must be utf-8, got none");
    }
}
