package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tailrace.client.report.Reporter;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tailrace tap} as operators run it, before a server that gives token ids, with a real broker that goes and comes back. */
class TapIT {
    private static final long SEED = 20_261_122L;
    private static final int IDS = 2_000;
    private static final List<Integer> PROMPT = List.of(7, 8);

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private final AtomicInteger number = new AtomicInteger();
    /** What the server said, by the answer's id. */
    private final ConcurrentMap<String, int[]> said = new ConcurrentHashMap<>();

    private HttpServer server;

    @BeforeEach
    void startTheServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/completions", this::answer);
        server.start();
    }

    @AfterEach
    void stopTheServer() {
        server.stop(0);
    }

    @Test
    @Tag("full")
    void answersPassWhateverBecomesOfKafkaAndEachIsPublishedOrCounted() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(folder.resolve("broker"));
                TapChild bounded = tap(
                        broker, "bounded", "--no-prompts", "--spool-bytes", Long.toString(Reporter.SPOOL_BYTES_MIN))) {
            Map<String, String> answers = new TreeMap<>();
            try (TapChild first = tap(broker, "tap")) {
                ask(first, 20, answers);
                first.awaitMetric("tailrace_tap_published_total", 20);
                first.awaitMetric("tailrace_spool_records", 0);
                broker.stop();
                ask(first, 20, answers);
                first.process().terminate();
                first.process().awaitEnd();
            }
            ask(bounded, 60, new TreeMap<>());
            bounded.awaitMetric("tailrace_tap_published_total", 60);
            try (TapChild again = tap(broker, "tap")) {
                ask(again, 20, answers);
                again.awaitMetric("tailrace_tap_published_total", 20);
                again.awaitMetric("tailrace_spool_records", 40);
                broker.start();
                again.awaitMetric("tailrace_spool_records", 0);
                bounded.awaitMetric("tailrace_spool_records", 0);
            }
            List<Generation> published =
                    new TopicReader(broker.bootstrap()).read(Topic.GENERATIONS, RecordCodec.GENERATION);
            requireAll(published, answers);
            long dropped = bounded.operator().metric("tailrace_spool_dropped");
            assertThat(dropped).isPositive();
            assertThat(ids(published, "bounded")).hasSize(60 - (int) dropped);
        }
    }

    /** Each of them as the server said it. */
    private void requireAll(List<Generation> published, Map<String, String> answers) {
        assertThat(ids(published, "tap")).isEqualTo(answers.keySet());
        for (Generation generation : published) {
            assertThat(TokenIds.toArray(generation.getResponse())).isEqualTo(said.get(generation.getRequestId()));
            assertThat(generation.getLane().getScope()).isEqualTo("chat");
            boolean silent = generation.getProducer().equals("bounded");
            assertThat(generation.getPrompt()).isEqualTo(silent ? null : PROMPT);
        }
    }

    /** What was on its way when a broker or a tap ended may have come twice. */
    private static Set<String> ids(List<Generation> published, String producer) {
        return published.stream()
                .filter(each -> each.getProducer().equals(producer))
                .map(Generation::getRequestId)
                .collect(Collectors.toSet());
    }

    private void ask(TapChild tap, int times, Map<String, String> answers) throws Exception {
        for (int i = 0; i < times; i++) {
            HttpResponse<String> answer =
                    tap.front().post("{\"model\":\"m\",\"prompt\":\"a\",\"return_token_ids\":true}");
            assertThat(answer.statusCode()).isEqualTo(200);
            Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(answer.body());
            assertThat(id.find()).isTrue();
            assertThat(answer.body()).isEqualTo(json(id.group(1)));
            answers.put(id.group(1), answer.body());
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String id = "cmpl-" + number.incrementAndGet();
        said.put(id, random.ints(IDS, 0, 32_000).toArray());
        byte[] body = json(id).getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private String json(String id) {
        return """
                {"id":"%s","model":"m","choices":[{"index":0,"text":"x","finish_reason":"length","prompt_token_ids":%s,"token_ids":%s}],\
                "usage":{"completion_tokens":%d}}""".formatted(id, PROMPT, Arrays.toString(said.get(id)), IDS);
    }

    private TapChild tap(BrokerProcess broker, String name, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--name", name, "--scope", "chat"));
        arguments.addAll(List.of(more));
        URI upstream = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return TapChild.start(folder, name, upstream, "m", broker.bootstrap(), arguments);
    }
}
