package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.TokenIds;
import io.tailrace.tap.publish.SkipReason;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Thousands of calls, cut anywhere on their way: what leaves is what came, and what is published is what was said. */
class RandomExchangesTest {
    private static final int CASES = 2_000;
    private static final long SEED = 20_260_101;

    @Test
    void bytesLeaveAsTheyCameAndWhatIsPublishedIsWhatTheServerSaid() throws Exception {
        Map<SkipReason, Integer> skipped = new EnumMap<>(SkipReason.class);
        int expected = 0;
        try (FakeServer server = new FakeServer(null);
                TestTap tap = TestTap.before(server.url(), Optional.of(TestTap.TOKENIZER), options -> options);
                Socket client = tap.connect()) {
            for (int i = 0; i < CASES; i++) {
                RandomExchange exchange = new RandomExchange(SEED + i);
                server.script = (request, socket) -> answer(exchange, socket);
                TestTap.send(client, exchange.path, exchange.request);
                RawHttp.Message answer = RawHttp.read(client.getInputStream());
                assertThat(answer.status()).as("seed %d", SEED + i).isEqualTo(200);
                assertThat(answer.body()).as("seed %d", SEED + i).isEqualTo(exchange.answer);
                assertThat(server.requests.get(i).body())
                        .as("seed %d", SEED + i)
                        .isEqualTo(exchange.request);
                exchange.skipped.forEach(reason -> skipped.merge(reason, 1, Integer::sum));
                expected += exchange.expected.size();
            }
            int all = expected;
            Awaitility.await().until(() -> tap.reports.generations.size() >= all);
            assertThat(tap.reports.generations).hasSize(all);
            assertPublished(tap);
            for (SkipReason reason : SkipReason.values()) {
                assertThat(tap.skipped(reason.label())).as(reason.label()).isEqualTo(skipped.getOrDefault(reason, 0));
            }
            assertThat(skipped).containsKeys(SkipReason.ABORTED, SkipReason.INEXACT, SkipReason.MANY_CHOICES);
            assertThat(tap.meter("tailrace_tap_kept_bytes{worker=\"tap\"}")).isZero();
        }
    }

    private static void answer(RandomExchange exchange, Socket client) throws Exception {
        String packed = exchange.gzip ? "Content-Encoding: gzip\r\n" : "";
        FakeServer.head(
                client,
                "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%sTransfer-Encoding: chunked\r\n\r\n"
                        .formatted(exchange.type(), packed));
        int[] cuts = exchange.cuts();
        for (int cut = 1; cut < cuts.length; cut++) {
            FakeServer.chunk(client, exchange.answer, cuts[cut - 1], cuts[cut]);
        }
        FakeServer.end(client);
    }

    private static void assertPublished(TestTap tap) {
        Map<String, Generation> byId = tap.reports.generations.stream()
                .collect(Collectors.toMap(Generation::getRequestId, Function.identity()));
        for (int i = 0; i < CASES; i++) {
            for (RandomExchange.Expected each : new RandomExchange(SEED + i).expected) {
                Generation published = byId.get(each.id());
                assertThat(published).as("seed %d", SEED + i).isNotNull();
                assertThat(TokenIds.toArray(published.getResponse()))
                        .as("seed %d", SEED + i)
                        .isEqualTo(each.response());
                assertThat(TokenIds.toArray(published.getPrompt()))
                        .as("seed %d", SEED + i)
                        .isEqualTo(each.prompt());
                assertThat(published.getLane().getScope()).isEqualTo("chat");
                assertThat(published.getProducer()).isEqualTo("tap");
            }
        }
    }
}
