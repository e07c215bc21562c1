package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.client.report.Reporter;
import io.tailrace.suffix.RememberedAnswer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {
    @Test
    void answersThatHadToGoAreCountedInTheirLane() {
        FollowOptions options =
                FollowOptions.of(URI.create("file:/store"), Path.of("cache")).withFreshTokensAllMax(300);
        ServedLanes lanes = new ServedLanes(new ServedModel("m", "1", 100, "tok"), options, 0);
        lanes.ofRequest("before").finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), 1_000);
        lanes.ofRequest("now").finished("b", RememberedAnswer.of(new int[] {1, 2, 3, 4, 5, 6, 7}), 2_000);
        try (WorkerMetrics metrics = new WorkerMetrics("w", lanes::states, () -> 0, Reporter.none(), () -> 0)) {
            assertThat(metrics.scrape().lines())
                    .contains(
                            "tailrace_fresh_given_up_tokens{lane=\"m@1/before\",worker=\"w\"} 3.0",
                            "tailrace_fresh_given_up_tokens{lane=\"m@1/now\",worker=\"w\"} 0.0",
                            "tailrace_fresh_tokens{lane=\"m@1/now\",worker=\"w\"} 7.0");
        }
    }

    /** Two Prometheus servers, or one and a person who looks. */
    @Test
    void anyNumberMayScrapeAtOnce() throws Exception {
        FollowOptions options = FollowOptions.of(URI.create("file:/store"), Path.of("cache"));
        ServedLanes lanes = new ServedLanes(new ServedModel("m", "1", 100, "tok"), options, 0);
        for (int lane = 0; lane < 20; lane++) {
            lanes.ofRequest("s" + lane).finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), 1_000);
        }
        ExecutorService scrapers = Executors.newFixedThreadPool(4);
        try (WorkerMetrics metrics = new WorkerMetrics("w", lanes::states, () -> 0, Reporter.none(), () -> 0)) {
            List<Future<String>> scrapes = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                scrapes.add(scrapers.submit(metrics::scrape));
            }
            for (Future<String> scrape : scrapes) {
                assertThat(scrape.get().lines().filter(line -> line.startsWith("tailrace_fresh_tokens{")))
                        .hasSize(20);
            }
        } finally {
            scrapers.shutdown();
        }
    }
}
