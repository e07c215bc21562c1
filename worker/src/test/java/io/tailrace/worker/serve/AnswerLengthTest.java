package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.EndpointOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long an answer may be: what is asked for, what the worker allows, and what it gives by itself. */
class AnswerLengthTest {
    private static final String COMPLETIONS = "/v1/completions";
    private static final String CHATS = "/v1/chat/completions";
    private static final String PROMPT = "{\"model\":\"letters\",\"prompt\":\"once\"%s}";
    private static final String CHAT =
            "{\"model\":\"letters\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]%s}";

    @TempDir
    private Path folder;

    @Test
    void aChatWithoutALengthHasItsPlacesShareOfTheCache() throws Exception {
        // a cache of 8,192 tokens
        try (TestWorker worker = start(EngineOptions.defaults().withBatchMax(64))) {
            assertLength(worker.post(CHATS, CHAT.formatted("")), 128);
            assertLength(worker.post(CHATS, CHAT.formatted(",\"max_tokens\":140")), 140);
            assertLength(worker.post(CHATS, CHAT.formatted(",\"max_tokens\":9,\"max_completion_tokens\":140")), 140);
        }
    }

    @Test
    void theLongestAnswerIsGivenToWhoAsksForNone() throws Exception {
        try (TestWorker worker = start(EngineOptions.defaults().withLengths(0, 20))) {
            assertLength(worker.post(CHATS, CHAT.formatted("")), 20);
            assertLength(worker.post(COMPLETIONS, PROMPT.formatted("")), 16);
            assertLength(worker.post(COMPLETIONS, PROMPT.formatted(",\"max_tokens\":20")), 20);
        }
        try (TestWorker worker = start(EngineOptions.defaults().withLengths(0, 7))) {
            assertLength(worker.post(COMPLETIONS, PROMPT.formatted("")), 7);
        }
    }

    @Test
    void whoAsksForMoreThanTheLongestAnswerIsToldSo() throws Exception {
        try (TestWorker worker = start(EngineOptions.defaults().withLengths(0, 20))) {
            assertRefused(worker.post(COMPLETIONS, PROMPT.formatted(",\"max_tokens\":21")), "max_tokens");
            assertRefused(worker.post(CHATS, CHAT.formatted(",\"max_tokens\":21")), "max_tokens");
            assertRefused(worker.post(CHATS, CHAT.formatted(",\"max_completion_tokens\":21")), "max_completion_tokens");
        }
    }

    private static void assertLength(HttpResponse<String> answer, int tokens) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body())
                .contains("\"completion_tokens\":%d,".formatted(tokens), "\"finish_reason\":\"length\"");
    }

    private static void assertRefused(HttpResponse<String> answer, String parameter) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body())
                .contains(
                        "\"message\":\"%s must be at most 20 on this worker, got 21\"".formatted(parameter),
                        "\"type\":\"invalid_request_error\"",
                        "\"param\":\"%s\"".formatted(parameter));
    }

    private TestWorker start(EngineOptions engine) throws IOException {
        return TestWorker.start(folder, TestWorker.repeating(), engine, EndpointOptions.defaults());
    }
}
