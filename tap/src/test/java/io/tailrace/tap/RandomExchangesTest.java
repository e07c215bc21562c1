package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.TokenIds;
import io.tailrace.tap.RandomExchange.Fate;
import io.tailrace.tap.RandomExchange.Framing;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.proxy.ScopeRule;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls cut anywhere on their way, some of them cut short: what leaves is what came, and what is published is what was said. */
class RandomExchangesTest {
    private static final int CLIENTS = 4;
    private static final int CALLS_EACH = 300;
    private static final int CALLS_EACH_FULL = 5_000;
    private static final long SEED = 20_260_101;
    private static final String SCOPE = "X-Scope";

    private final Map<String, RandomExchange> bySeed = new ConcurrentHashMap<>();
    private final Map<String, RawHttp.Message> arrived = new ConcurrentHashMap<>();

    @Test
    void bytesLeaveAsTheyCameAndWhatIsPublishedIsWhatTheServerSaid() throws Exception {
        exchange(SEED, CALLS_EACH);
    }

    @Test
    @Tag("full")
    void thousandsOfCallsLeaveAsTheyCame() throws Exception {
        exchange(SEED + CLIENTS * CALLS_EACH, CALLS_EACH_FULL);
    }

    private void exchange(long from, int callsEach) throws Exception {
        for (long seed = from; seed < from + (long) CLIENTS * callsEach; seed++) {
            bySeed.put(Long.toString(seed), new RandomExchange(seed));
        }
        try (FakeServer server = new FakeServer(this::answer);
                TestTap tap = TestTap.before(
                        ProxyOptions.to(server.url(), ScopeRule.header(SCOPE)),
                        Optional.of(TestTap.TOKENIZER),
                        new KeptReports())) {
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            List<Future<?>> all = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                long first = from + (long) client * callsEach;
                all.add(clients.submit(() -> {
                    callAll(tap, first, first + callsEach);
                    return null;
                }));
            }
            for (Future<?> client : all) {
                client.get();
            }
            clients.shutdown();
            assertPublished(tap);
            assertCounted(tap);
        }
    }

    /** One client, whose connection serves it as long as nothing breaks. */
    private void callAll(TestTap tap, long first, long end) throws Exception {
        Socket connection = tap.connect();
        InputStream in = new BufferedInputStream(connection.getInputStream());
        for (long seed = first; seed < end; seed++) {
            RandomExchange exchange = bySeed.get(Long.toString(seed));
            try {
                ask(exchange, connection);
                hear(exchange, in);
            } catch (IOException | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
            if (exchange.fate != Fate.WHOLE || exchange.lastOfConnection) {
                connection.close();
                connection = tap.connect();
                in = new BufferedInputStream(connection.getInputStream());
            }
            assertThat(arrived.get(Long.toString(seed)).body())
                    .as("seed %d", seed)
                    .isEqualTo(exchange.request);
        }
        connection.close();
    }

    private static void ask(RandomExchange exchange, Socket connection) throws IOException {
        StringBuilder head = new StringBuilder(
                "POST %s HTTP/1.1\r\nHost: tap\r\nX-Seed: %d\r\n".formatted(exchange.path, exchange.seed));
        exchange.scopes.forEach(scope -> head.append(SCOPE + ": ").append(scope).append("\r\n"));
        head.append(exchange.lastOfConnection ? "Connection: close\r\n" : "");
        head.append(exchange.requestGzip ? "Content-Encoding: gzip\r\n" : "");
        Framing framing = exchange.requestInChunks ? Framing.CHUNKS : Framing.LENGTH;
        say(connection, head.toString(), framing, exchange.request, exchange.requestCuts, exchange.request.length);
        if (exchange.requestInChunks) {
            FakeServer.end(connection);
        }
    }

    private static void hear(RandomExchange exchange, InputStream in) throws IOException {
        if (exchange.fate == Fate.CLIENT_LEAVES) {
            assertThat(RawHttp.line(in)).startsWith("HTTP/1.1 " + exchange.status);
            return;
        }
        RawHttp.Message answer =
                exchange.fate == Fate.CLIENT_LEAVES_WHEN_DONE ? RawHttp.read(in, exchange.said) : RawHttp.read(in);
        assertThat(answer).as("seed %d", exchange.seed).isNotNull();
        assertThat(answer.status()).as("seed %d", exchange.seed).isEqualTo(exchange.status);
        assertThat(answer.body()).as("seed %d", exchange.seed).isEqualTo(Arrays.copyOf(exchange.answer, exchange.said));
        assertThat(answer.whole()).as("seed %d", exchange.seed).isEqualTo(exchange.fate == Fate.WHOLE);
        if (exchange.fate == Fate.WHOLE && exchange.framing == Framing.CHUNKS) {
            assertThat(answer.trailers()).as("seed %d", exchange.seed).isEqualTo(exchange.trailers);
        }
    }

    /** The server's side. */
    private void answer(RawHttp.Message request, Socket connection) throws IOException {
        String seed = request.header("X-Seed").orElseThrow();
        RandomExchange exchange = bySeed.get(seed);
        arrived.put(seed, request);
        String packed = exchange.gzip ? "Content-Encoding: gzip\r\n" : "";
        String head = "HTTP/1.1 %d X\r\nContent-Type: %s\r\n%s".formatted(exchange.status, exchange.type(), packed);
        say(connection, head, exchange.framing, exchange.answer, exchange.answerCuts, exchange.answer.length);
        if (exchange.fate == Fate.CLIENT_LEAVES || exchange.fate == Fate.CLIENT_LEAVES_WHEN_DONE) {
            try {
                FakeServer.awaitEnd(connection);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        } else if (exchange.framing == Framing.CHUNKS && exchange.fate == Fate.WHOLE) {
            FakeServer.end(connection, exchange.trailers);
        }
    }

    /** All but the end of a body in chunks. */
    private static void say(Socket to, String head, Framing framing, byte[] body, int[] cuts, int length)
            throws IOException {
        String frame = switch (framing) {
            case CHUNKS -> "Transfer-Encoding: chunked\r\n";
            case LENGTH -> "Content-Length: " + length + "\r\n";
            case CLOSE -> "Connection: close\r\n";
        };
        FakeServer.head(to, head + frame + "\r\n");
        for (int cut = 1; cut < cuts.length; cut++) {
            if (framing == Framing.CHUNKS) {
                FakeServer.chunk(to, body, cuts[cut - 1], cuts[cut]);
            } else {
                to.getOutputStream().write(body, cuts[cut - 1], cuts[cut] - cuts[cut - 1]);
            }
        }
    }

    private void assertPublished(TestTap tap) {
        int all =
                bySeed.values().stream().mapToInt(each -> each.expected.size()).sum();
        TestTap.await().until(() -> tap.reports.generations.size() >= all);
        Map<String, Generation> byId = tap.reports.generations.stream()
                .collect(Collectors.toMap(Generation::getRequestId, Function.identity()));
        for (RandomExchange exchange : bySeed.values()) {
            for (RandomExchange.Expected each : exchange.expected) {
                Generation published = byId.get(each.id());
                assertThat(published).as("seed %d", exchange.seed).isNotNull();
                assertThat(TokenIds.toArray(published.getResponse()))
                        .as("seed %d", exchange.seed)
                        .isEqualTo(each.response());
                assertThat(TokenIds.toArray(published.getPrompt()))
                        .as("seed %d", exchange.seed)
                        .isEqualTo(each.prompt());
                assertThat(published.getLane().getScope()).isEqualTo("chat");
                assertThat(published.getProducer()).isEqualTo("tap");
            }
        }
        assertThat(tap.reports.generations).hasSize(all);
    }

    private void assertCounted(TestTap tap) throws Exception {
        Map<SkipReason, Integer> skipped = new EnumMap<>(SkipReason.class);
        Map<String, Integer> ended = new TreeMap<>();
        for (RandomExchange exchange : bySeed.values()) {
            exchange.skipped.forEach(reason -> skipped.merge(reason, 1, Integer::sum));
            ended.merge(exchange.how(), 1, Integer::sum);
        }
        int skippedInAll = skipped.values().stream().mapToInt(each -> each).sum();
        TestTap.await().until(() -> tap.skippedInAll() >= skippedInAll);
        for (SkipReason reason : SkipReason.values()) {
            assertThat(tap.skipped(reason.label())).as(reason.label()).isEqualTo((double)
                    skipped.getOrDefault(reason, 0));
        }
        for (Map.Entry<String, Integer> how : ended.entrySet()) {
            assertThat(tap.ended(how.getKey())).as(how.getKey()).isEqualTo((double) how.getValue());
        }
        assertThat(skipped)
                .containsKeys(
                        SkipReason.ABORTED,
                        SkipReason.FAILED,
                        SkipReason.INEXACT,
                        SkipReason.MANY_CHOICES,
                        SkipReason.OTHER_MODEL,
                        SkipReason.PRIVATE,
                        SkipReason.UNKNOWN_SCOPE);
        assertThat(ended).containsKeys("200", "400", "client_gone", "broken_off");
        TestTap.await().until(() -> tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}") == 0);
    }
}
