package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.RateLimitException;
import com.openai.errors.UnauthorizedException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.completions.Completion;
import com.openai.models.completions.CompletionChoice.FinishReason;
import com.openai.models.completions.CompletionCreateParams;
import com.openai.models.completions.CompletionUsage;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.sampling.TokenSampler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stock client, as people use it against OpenAI, speaks to a worker. */
class OpenAiClientTest {
    @TempDir
    private Path folder;

    @Test
    void aCompletionIsWhatThePlainModelSays() throws IOException {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            Completion completion =
                    client.completions().create(completion("once upon", 60, 0).build());
            assertThat(completion.choices().get(0).text()).isEqualTo(plain(worker, "once upon", 60));
            assertThat(completion.choices().get(0).finishReason()).isEqualTo(FinishReason.LENGTH);
            assertThat(completion.usage().orElseThrow().promptTokens()).isEqualTo(9);
            assertThat(completion.model()).isEqualTo(TestWorker.MODEL);
            assertThat(completion.id()).startsWith("cmpl-");
        }
    }

    @Test
    void sixteenAtATimeStreamedOrNotGetTheSameText() throws Exception {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            ExecutorService clients = Executors.newFixedThreadPool(16);
            List<Future<String>> streamed = new ArrayList<>();
            List<Future<String>> whole = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                CompletionCreateParams params = completion("story " + (char) ('a' + i % 16), 80, i % 2)
                        .seed(i % 16)
                        .build();
                Callable<String> stream = () -> streamed(client, params);
                Callable<String> call = () ->
                        client.completions().create(params).choices().get(0).text();
                streamed.add(clients.submit(stream));
                whole.add(clients.submit(call));
            }
            for (int i = 0; i < streamed.size(); i++) {
                String text = whole.get(i).get();
                assertThat(streamed.get(i).get()).as("request %d", i).isEqualTo(text);
                if (i % 2 == 0) {
                    assertThat(text).as("greedy").isEqualTo(plain(worker, "story " + (char) ('a' + i % 16), 80));
                } else {
                    assertThat(text).as("sampled").isNotEqualTo(whole.get(i - 1).get());
                }
            }
            clients.shutdown();
        }
    }

    @Test
    void repeatedRequestsAreDraftedAndTheAnswerSaysSoWhenAsked() throws IOException {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            CompletionCreateParams params = completion("a long repetition", 100, 0)
                    .putAdditionalBodyProperty("tailrace", JsonValue.from(Map.of("report", true)))
                    .build();
            client.completions().create(params);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(worker.worker.scrape()).contains("tailrace_requests_total{lane"));
            Completion second = client.completions().create(params);
            Map<?, ?> report = second._additionalProperties().get("tailrace").convert(Map.class);
            int tokens = Math.toIntExact(second.usage().orElseThrow().completionTokens());
            assertThat((int) report.get("accepted")).isPositive();
            assertThat((int) report.get("steps")).isLessThan(tokens);
            assertThat(report.get("snapshotVersion")).isEqualTo(0);
        }
    }

    @Test
    void aChatIsRenderedAndAnsweredStreamedOrNot() throws IOException {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            ChatCompletionCreateParams params = ChatCompletionCreateParams.builder()
                    .model(TestWorker.MODEL)
                    .addSystemMessage("be brief")
                    .addUserMessage("who are you")
                    .temperature(0)
                    .maxCompletionTokens(40)
                    .streamOptions(ChatCompletionStreamOptions.builder()
                            .includeUsage(true)
                            .build())
                    .build();
            ChatCompletion whole = client.chat().completions().create(params);
            String expected = plain(worker, "system be brief user who are you assistant ", 40);
            assertThat(whole.choices().get(0).message().content()).contains(expected);
            assertThat(whole.choices().get(0).finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.LENGTH);
            StringBuilder text = new StringBuilder();
            List<Long> usage = new ArrayList<>();
            List<ChatCompletionChunk.Choice.FinishReason> reasons = new ArrayList<>();
            try (StreamResponse<ChatCompletionChunk> chunks =
                    client.chat().completions().createStreaming(params)) {
                chunks.stream().forEach(chunk -> {
                    for (ChatCompletionChunk.Choice choice : chunk.choices()) {
                        text.append(choice.delta().content().orElse(""));
                        choice.finishReason().ifPresent(reasons::add);
                    }
                    chunk.usage().ifPresent(each -> usage.add(each.completionTokens()));
                });
            }
            assertThat(text.toString()).isEqualTo(expected);
            assertThat(reasons).containsExactly(ChatCompletionChunk.Choice.FinishReason.LENGTH);
            assertThat(usage).containsExactly(whole.usage().orElseThrow().completionTokens());
        }
    }

    @Test
    void stopTextsEndTheAnswerAndAreNotShown() throws IOException {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            String all = plain(worker, "tell me", 60);
            String stop = all.substring(10, 13);
            CompletionCreateParams params =
                    completion("tell me", 60, 0).stop(stop).build();
            Completion stopped = client.completions().create(params);
            assertThat(stopped.choices().get(0).text()).isEqualTo(all.substring(0, all.indexOf(stop)));
            assertThat(stopped.choices().get(0).finishReason()).isEqualTo(FinishReason.STOP);
            assertThat(streamed(client, params)).isEqualTo(all.substring(0, all.indexOf(stop)));
        }
    }

    @Test
    void aStreamedCompletionCountsItsTokensWhenAsked() throws IOException {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            CompletionCreateParams params = completion("once upon", 60, 0)
                    .streamOptions(ChatCompletionStreamOptions.builder()
                            .includeUsage(true)
                            .build())
                    .build();
            List<CompletionUsage> usage = new ArrayList<>();
            List<FinishReason> reasons = new ArrayList<>();
            try (StreamResponse<Completion> pieces = client.completions().createStreaming(params)) {
                pieces.stream().forEach(piece -> {
                    piece.usage().ifPresent(usage::add);
                    piece.choices()
                            .forEach(choice -> choice._finishReason().asKnown().ifPresent(reasons::add));
                });
            }
            assertThat(reasons).containsExactly(FinishReason.LENGTH);
            assertThat(usage).hasSize(1);
            assertThat(usage.get(0).promptTokens()).isEqualTo(9);
            assertThat(usage.get(0).completionTokens()).isEqualTo(60);
            assertThat(usage.get(0).totalTokens()).isEqualTo(69);
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefusedAndNeverIgnored() throws IOException {
        try (TestWorker worker = start(EngineOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            assertThatThrownBy(() -> client.completions()
                            .create(completion("a", 5, 0).n(100).build()))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("at most 72 answers, n to each prompt, got 100");
            assertThatThrownBy(() -> client.completions()
                            .create(completion("a", 5, 0).presencePenalty(0.5).build()))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("presence_penalty");
            assertThatThrownBy(() -> client.completions()
                            .create(completion("a", 5, 0).topP(1.5).build()))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("top_p must be in (0, 1]");
            assertThatThrownBy(() -> client.completions()
                            .create(completion("a".repeat(300), 5, 0).build()))
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("300 characters");
            assertThatThrownBy(() -> client.completions()
                            .create(completion("a", 5, 0).model("another").build()))
                    .isInstanceOf(NotFoundException.class)
                    .hasMessageContaining("'letters'");
            assertThat(client.models().list().data()).hasSize(1);
            assertThat(client.models().retrieve(TestWorker.MODEL).id()).isEqualTo(TestWorker.MODEL);
        }
    }

    @Test
    void aWorkerWithKeysServesOnlyThoseWhoHaveOne() throws IOException {
        EndpointOptions options =
                EndpointOptions.defaults().withKeys(Map.of("secret-a", "tenant-a", "secret-b", "tenant-b"));
        try (TestWorker worker = TestWorker.start(folder, TestWorker.repeating(), EngineOptions.defaults(), options)) {
            CompletionCreateParams params = completion("once", 20, 0).build();
            client(worker, "secret-a").completions().create(params);
            assertThatThrownBy(() -> client(worker, "secret-c").completions().create(params))
                    .isInstanceOf(UnauthorizedException.class);
            assertThatThrownBy(() -> client(worker, "secret-c").models().list())
                    .isInstanceOf(UnauthorizedException.class);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(worker.worker.scrape())
                            .contains("letters@1/tenant-a")
                            .doesNotContain("letters@1/tenant-b"));
        }
    }

    @Test
    void aFullQueueSaysTryAgain() throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder,
                TestWorker.endless(),
                EngineOptions.defaults().withBatchMax(1).withQueuedMax(0),
                EndpointOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            try (StreamResponse<Completion> running = client.completions()
                    .createStreaming(completion("go", 50_000, 0).build())) {
                assertThat(running.stream().findFirst()).isPresent();
                assertThatThrownBy(() -> client.completions()
                                .create(completion("me too", 5, 0).build()))
                        .isInstanceOf(RateLimitException.class)
                        .hasMessageContaining("try again later");
            }
        }
    }

    @Test
    void aStreamThatIsClosedFreesItsPlace() throws IOException {
        try (TestWorker worker = TestWorker.start(
                folder, TestWorker.endless(), EngineOptions.defaults().withBatchMax(1), EndpointOptions.defaults())) {
            OpenAIClient client = client(worker, "none");
            try (StreamResponse<Completion> running = client.completions()
                    .createStreaming(completion("go", 50_000, 0).build())) {
                assertThat(running.stream().findFirst()).isPresent();
            }
            Completion next =
                    client.completions().create(completion("next", 5, 0).build());
            assertThat(next.usage().orElseThrow().completionTokens()).isEqualTo(5);
            assertThat(worker.model.openSequences()).isZero();
            assertThat(worker.worker.scrape()).contains("tailrace_requests_cancelled_total{worker=\"test\"} 1.0");
        }
    }

    private TestWorker start(EngineOptions engine) throws IOException {
        return TestWorker.start(folder, TestWorker.repeating(), engine, TestWorker.reporting());
    }

    private static OpenAIClient client(TestWorker worker, String key) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(worker.url() + "/v1")
                .apiKey(key)
                .maxRetries(0)
                .build();
    }

    private static CompletionCreateParams.Builder completion(String prompt, int tokens, double temperature) {
        return CompletionCreateParams.builder()
                .model(TestWorker.MODEL)
                .prompt(prompt)
                .maxTokens(tokens)
                .temperature(temperature);
    }

    private static String streamed(OpenAIClient client, CompletionCreateParams params) {
        StringBuilder text = new StringBuilder();
        try (StreamResponse<Completion> pieces = client.completions().createStreaming(params)) {
            pieces.stream().forEach(piece -> piece.choices().forEach(choice -> text.append(choice.text())));
        }
        return text.toString();
    }

    private static String plain(TestWorker worker, String prompt, int tokens) {
        LetterTokenizer tokenizer = new LetterTokenizer();
        int[] context = tokenizer.encode(prompt, true);
        int from = context.length;
        for (int i = 0; i < tokens; i++) {
            float[] row = worker.model.logits(context, context.length);
            int token = new TokenSampler()
                    .sample(io.tailrace.worker.sampling.SamplingParameters.GREEDY, row, row.length, i);
            context = Arrays.copyOf(context, context.length + 1);
            context[context.length - 1] = token;
            if (token == LetterTokenizer.END) {
                break;
            }
        }
        return tokenizer.decode(Arrays.copyOfRange(context, from, context.length));
    }
}
