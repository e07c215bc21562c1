package io.tailrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tailrace.terminal.BadInputException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section "The job" of page Books, beside servers that answer as Flink does, otherwise, or not at all. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class JobRestTest {
    private static final long NOW = 1_700_000_065_000L;
    /** Two runs of the job, the later one first, and another job. */
    private static final String OVERVIEW = """
            {"jobs": [
              {"jid": "b2", "name": "tailrace-index", "start-time": 1700000000000, "end-time": -1, "duration": 65000,
               "state": "RUNNING", "last-modification": 1700000001000, "tasks": {"running": 9, "total": 9}},
              {"jid": "a1", "name": "tailrace-index", "start-time": 1600000000000, "end-time": 1600000001000,
               "duration": 1000, "state": "CANCELED", "last-modification": 1600000001000, "tasks": {}},
              {"jid": "c3", "name": "other", "start-time": 1700000002000, "end-time": -1, "state": "FAILING"}]}
            """;

    private static final String CHECKPOINTS = """
            {"counts": {"restored": 1, "total": 41, "in_progress": 0, "completed": 38, "failed": 3},
             "summary": {},
             "latest": {
               "completed": {"className": "completed", "id": 41, "status": "COMPLETED", "is_savepoint": false,
                 "trigger_timestamp": 1700000053766, "latest_ack_timestamp": 1700000055000, "state_size": 4711,
                 "end_to_end_duration": 1234, "num_subtasks": 9, "external_path": "file:/chk-41", "discarded": false},
               "savepoint": null, "failed": null,
               "restored": {"id": 7, "restore_timestamp": 1700000000500, "is_savepoint": false}},
             "history": []}
            """;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(String path, int status, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static String section(int port) {
        JobRest rest = new JobRest(URI.create("http://127.0.0.1:" + port));
        Page page = FleetPages.books(List.of()).and(List.of(FleetPages.job(rest, NOW)));
        String html = new Template().html(page, "/books", "", "", "");
        assertThat(html).contains("<h2>Checks</h2>");
        return html.substring(html.indexOf("<h2>The job</h2>"));
    }

    private String section() {
        return section(server.getAddress().getPort());
    }

    @Test
    void stateRestartsAndCheckpointsOfTheNewestRunAreShown() {
        answer("/jobs/overview", 200, OVERVIEW);
        answer("/jobs/b2/checkpoints", 200, CHECKPOINTS);
        answer("/jobs/b2/metrics", 200, "[{\"id\": \"numRestarts\", \"value\": \"2\"}]");
        assertThat(PagesTest.cells(section())).endsWith("RUNNING", "2", "10 s", "1,234", "3");
    }

    @Test
    void aJobThatFailsAndHasNoCheckpointIsMarked() {
        answer("/jobs/overview", 200, OVERVIEW.replace("RUNNING", "<RESTARTING>"));
        answer("/jobs/b2/checkpoints", 200, "{\"counts\": {\"failed\": 0}, \"latest\": {\"completed\": null}}");
        answer("/jobs/b2/metrics", 200, "[]");
        assertThat(PagesTest.cells(section())).endsWith("&lt;RESTARTING&gt;", "-", "-", "-", "0");
        assertThat(section()).contains("<strong>&lt;RESTARTING&gt;");
    }

    @Test
    void anAnswerThatTellsNothingOfTheJobIsASentence() {
        answer("/jobs/overview", 200, "{\"jobs\": []}");
        assertThat(section()).contains("does not tell of the job: it knows no job tailrace-index.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "", "[1, "})
    void whatIsNoJsonIsASentence(String body) {
        answer("/jobs/overview", 200, OVERVIEW);
        answer("/jobs/b2/checkpoints", 200, body);
        answer("/jobs/b2/metrics", 500, "no");
        assertThat(section()).contains("does not tell of the job: ").doesNotContain("<table>");
    }

    @Test
    void whoDoesNotAnswerIsNotWaitedFor() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(section(silent.getLocalPort())).contains("did not answer within 1.5 s.");
        }
    }

    @Test
    void anAnswerThatDoesNotEndIsNotWaitedFor() {
        server.createContext("/jobs/overview", exchange -> exchange.sendResponseHeaders(200, 1_000));
        assertThat(section()).contains("did not answer within 1.5 s.");
    }

    @Test
    void nobodyWhoListensIsASentence() {
        server.stop(0);
        assertThat(section()).contains("cannot be reached (ConnectException).");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8081", "ftp://localhost/", "/jobs", "http:/"})
    void whatIsNoAddressIsRefusedWithAnExample(String url) {
        assertThatThrownBy(() -> new JobRest(URI.create(url)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("--job-rest", "http://localhost:8081", url);
    }
}
