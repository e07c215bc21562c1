package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tailrace.client.follow.LaneState;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.worker.http.EndpointOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptPromptsTest {
    private static final int ANSWER = 20;

    @TempDir
    Path folder;

    @Test
    void aFreshAnswerHasNoMoreOfItsPromptThanItsScopeKeeps() throws Exception {
        assertThat(freshTokens("default=0")).isEqualTo(ANSWER);
        assertThat(freshTokens("default=4")).isEqualTo(4 + ANSWER);
        assertThat(freshTokens("another=0")).isEqualTo(3 + ANSWER);
    }

    private long freshTokens(String tail) throws Exception {
        KeptOfPrompts kept = KeptOfPrompts.parse(List.of(tail), List.of());
        try (TestWorker worker = TestWorker.start(
                folder,
                TestWorker.repeating(),
                EndpointOptions.defaults(),
                options -> ServingWorkerOptions.alone(
                                options.name(),
                                options.model(),
                                options.follow().withPrompts(kept))
                        .withDrafts(options.drafts()))) {
            String body = "{\"model\":\"letters\",\"prompt\":\"abcde\",\"max_tokens\":%d}".formatted(ANSWER);
            assertThat(worker.post("/v1/completions", body).statusCode()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(60)).until(() -> fresh(worker) > 0);
            return fresh(worker);
        }
    }

    private static long fresh(TestWorker worker) {
        return worker.worker.lanes().stream().mapToLong(LaneState::freshTokens).sum();
    }
}
