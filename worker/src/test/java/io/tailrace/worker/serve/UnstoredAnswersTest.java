package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tailrace.client.follow.LaneState;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.worker.http.EndpointOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnstoredAnswersTest {
    private static final int STORED = 5;

    @Test
    void anAnswerThatIsNotToBeStoredIsNotDraftedFrom(@TempDir Path folder) throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder, TestWorker.repeating(), EndpointOptions.defaults(), UnaryOperator.identity())) {
            ask(worker, 20, ",\"store\":false");
            ask(worker, STORED, "");
            await().atMost(Duration.ofSeconds(60)).until(() -> freshTokens(worker) > 0);
            assertThat(freshTokens(worker)).isEqualTo(RememberedAnswer.TAIL_TOKENS + STORED);
        }
    }

    private static void ask(TestWorker worker, int tokens, String more) throws Exception {
        String body = "{\"model\":\"letters\",\"prompt\":\"abcde\",\"max_tokens\":%d%s}".formatted(tokens, more);
        assertThat(worker.post("/v1/completions", body).statusCode()).isEqualTo(200);
    }

    private static long freshTokens(TestWorker worker) {
        return worker.worker.lanes().stream().mapToLong(LaneState::freshTokens).sum();
    }
}
