package io.tailrace.lab.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.lab.load.PacedLoad;
import io.tailrace.lab.traffic.SyntheticTraffic;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoopUnderLoadIT {
    private static final int REQUESTS = 200;

    @TempDir
    private Path folder;

    @Test
    void everyAnswerOfTwoWorkersIsAccountedForAndServedFromSnapshots() throws Exception {
        ServedModel model =
                new ServedModel(SyntheticTraffic.MODEL, "1", SyntheticTraffic.VOCABULARY_SIZE, "synthetic-words");
        try (LoopUnderLoad loop = LoopUnderLoad.start(LoopUnderLoad.options(folder, model))) {
            loop.addWorker("left");
            loop.addWorker("right");
            PacedLoad.Pace pace = PacedLoad.Pace.ofRealServers(2).withRequestsPerSecond(40);
            PacedLoad replay = new PacedLoad(loop.workers(), pace, (worker, request, served) -> {});
            replay.run(new SyntheticTraffic(1, REQUESTS));
            try (LoopObserver observer = loop.observe()) {
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    observer.poll(Duration.ofMillis(100));
                    return observer.total().requests() == REQUESTS
                            && observer.accounting().settled();
                });
                assertThat(observer.accounting().records().admitted()).isEqualTo(REQUESTS);
                assertThat(observer.accounting().tokens().live())
                        .isEqualTo(observer.total().responseTokens());
                assertThat(observer.versions().keySet())
                        .extracting("scope")
                        .containsExactlyInAnyOrder("acme", "borealis", "cumulus");
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> loop.freshness().getTotalCount() == 2 * REQUESTS);
            assertThat(loop.heard().getTotalCount())
                    .as("each answer is heard of by the other worker, but for a scope that it has not met yet")
                    .isBetween(REQUESTS / 2L, (long) REQUESTS);
            assertThat(loop.heard().getValueAtPercentile(50))
                    .as("and long before a snapshot holds it")
                    .isLessThan(loop.freshness().getValueAtPercentile(50));
        }
    }
}
