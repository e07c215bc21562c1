package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Generation;
import io.tailrace.tap.proxy.TestExchange;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PublisherTest {
    private static final String SAID =
            "{\"id\":\"x\",\"model\":\"small\",\"choices\":[{\"finish_reason\":\"stop\",\"token_ids\":[5]}]}";

    /** Its reporter and its tokenizer are closed behind it. */
    @Test
    void anEndCountsWhatItDropsAndWaitsForTheOneAtWork() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        KeptReports hanging = new KeptReports() {
            @Override
            public void generation(Generation generation) {
                hangs.countDown();
                try {
                    free.await();
                } catch (InterruptedException e) {
                    throw new AssertionError("what is written must not be cut short", e);
                }
                super.generation(generation);
            }
        };
        try (TapMetrics metrics = new TapMetrics("tap", hanging)) {
            Publisher publisher = new Publisher(
                    new Generations(TestTap.published(Optional.empty())), hanging, metrics, 10, Duration.ZERO);
            for (int i = 0; i < 4; i++) {
                publisher.offer(TestExchange.completion("{\"prompt\":\"a\"}", SAID));
            }
            hangs.await();
            Thread closing = new Thread(publisher::close);
            closing.start();
            TestTap.await().until(() -> behind(metrics).equals("3.0"));
            assertThat(closing.isAlive()).isTrue();
            closing.interrupt();
            publisher.offer(TestExchange.completion("{\"prompt\":\"a\"}", SAID));
            assertThat(behind(metrics)).isEqualTo("4.0");
            free.countDown();
            closing.join();
            assertThat(hanging.generations).hasSize(1);
        }
    }

    private static String behind(TapMetrics metrics) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("tailrace_tap_skipped_total{reason=\"behind\""))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .findFirst()
                .orElseThrow();
    }
}
