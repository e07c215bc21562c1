package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.RateLimitException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionTokenLogprob;
import com.openai.models.completions.Completion;
import com.openai.models.completions.CompletionChoice;
import com.openai.models.completions.CompletionCreateParams;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LetterTokenizer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of prompts, several answers to one, and logprobs, as a stock client asks for them, whole and streamed. */
class SeveralChoicesTest {
    private static final List<String> PROMPTS = List.of("once upon", "a time", "there was");

    @TempDir
    private Path folder;

    private TestWorker worker;
    private OpenAIClient client;

    @BeforeEach
    void start() throws Exception {
        worker = TestWorker.start(folder, TestWorker.repeating(), EngineOptions.defaults(), TestWorker.reporting());
        client = client(worker);
    }

    @AfterEach
    void stop() {
        client.close();
        worker.close();
    }

    @Test
    void eachPromptHasItsAnswersInOrderAndEachAnswerIsThatOfACallOfItsOwn() {
        CompletionCreateParams params =
                completion(40, 1).promptOfArrayOfStrings(PROMPTS).n(2).seed(5).build();
        Completion all = client.completions().create(params);
        List<String> alone = new ArrayList<>();
        for (String prompt : PROMPTS) {
            for (int seed = 5; seed < 7; seed++) {
                Completion one = client.completions()
                        .create(completion(40, 1).prompt(prompt).seed(seed).build());
                alone.add(one.choices().get(0).text());
            }
        }
        assertThat(all.choices()).extracting(CompletionChoice::text).isEqualTo(alone);
        assertThat(all.choices()).extracting(CompletionChoice::index).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(alone).doesNotHaveDuplicates();
        assertThat(all.usage().orElseThrow().promptTokens()).isEqualTo(9 + 6 + 9);
        assertThat(all.usage().orElseThrow().completionTokens()).isEqualTo(6 * 40);
        assertThat(streamed(params)).isEqualTo(alone);
    }

    @Test
    void aChatHasSeveralAnswersWholeAndStreamed() {
        ChatCompletionCreateParams params = chat().n(3)
                .temperature(1)
                .putAdditionalBodyProperty("seed", JsonValue.from(1))
                .build();
        List<String> whole = client.chat().completions().create(params).choices().stream()
                .map(choice -> choice.message().content().orElseThrow())
                .toList();
        Map<Long, StringBuilder> texts = new TreeMap<>();
        Map<Long, Integer> ends = new TreeMap<>();
        try (StreamResponse<ChatCompletionChunk> chunks =
                client.chat().completions().createStreaming(params)) {
            chunks.stream().flatMap(chunk -> chunk.choices().stream()).forEach(choice -> {
                texts.computeIfAbsent(choice.index(), index -> new StringBuilder())
                        .append(choice.delta().content().orElse(""));
                choice.finishReason().ifPresent(reason -> ends.merge(choice.index(), 1, Integer::sum));
            });
        }
        assertThat(whole).hasSize(3).doesNotHaveDuplicates();
        assertThat(texts.values()).extracting(StringBuilder::toString).isEqualTo(whole);
        assertThat(ends).containsExactlyInAnyOrderEntriesOf(Map.of(0L, 1, 1L, 1, 2L, 1));
    }

    @Test
    void aCompletionsLogprobsAreTheModelsWholeAndStreamed() {
        CompletionCreateParams params =
                completion(30, 0).prompt("once upon").logprobs(3).build();
        for (int call = 0; call < 2; call++) { // the second is drafted
            CompletionChoice.Logprobs whole = client.completions()
                    .create(params)
                    .choices()
                    .get(0)
                    .logprobs()
                    .orElseThrow();
            requireTrue(
                    "once upon",
                    whole.tokens().orElseThrow(),
                    whole.tokenLogprobs().orElseThrow());
            assertThat(whole.topLogprobs().orElseThrow())
                    .hasSize(30)
                    .allSatisfy(top -> assertThat(top._additionalProperties()).hasSize(3));
            assertThat(whole.textOffset().orElseThrow()).startsWith(0L, 1L, 2L).hasSize(30);
            List<String> tokens = new ArrayList<>();
            List<Double> logprobs = new ArrayList<>();
            List<Long> offsets = new ArrayList<>();
            try (StreamResponse<Completion> pieces = client.completions().createStreaming(params)) {
                pieces.stream()
                        .flatMap(piece -> piece.choices().stream())
                        .flatMap(choice -> choice.logprobs().stream())
                        .forEach(piece -> {
                            tokens.addAll(piece.tokens().orElseThrow());
                            logprobs.addAll(piece.tokenLogprobs().orElseThrow());
                            offsets.addAll(piece.textOffset().orElseThrow());
                        });
            }
            assertThat(tokens).isEqualTo(whole.tokens().orElseThrow());
            assertThat(logprobs).isEqualTo(whole.tokenLogprobs().orElseThrow());
            assertThat(offsets).isEqualTo(whole.textOffset().orElseThrow());
        }
    }

    @Test
    void aChatsLogprobsAreTheModelsWholeAndStreamed() {
        ChatCompletionCreateParams params =
                chat().temperature(0).logprobs(true).topLogprobs(2).build();
        ChatCompletion.Choice choice =
                client.chat().completions().create(params).choices().get(0);
        List<ChatCompletionTokenLogprob> content =
                choice.logprobs().orElseThrow().content().orElseThrow();
        requireTrue(
                "user who are you assistant ",
                content.stream().map(ChatCompletionTokenLogprob::token).toList(),
                content.stream().map(ChatCompletionTokenLogprob::logprob).toList());
        assertThat(content).allSatisfy(token -> {
            assertThat(token.topLogprobs()).hasSize(2);
            assertThat(token.topLogprobs().get(0).logprob()).isEqualTo(token.logprob());
            assertThat(token.bytes().orElseThrow())
                    .containsExactly((long) token.token().charAt(0));
        });
        List<ChatCompletionTokenLogprob> streamed = new ArrayList<>();
        try (StreamResponse<ChatCompletionChunk> chunks =
                client.chat().completions().createStreaming(params)) {
            chunks.stream()
                    .flatMap(chunk -> chunk.choices().stream())
                    .flatMap(each -> each.logprobs().stream())
                    .forEach(each -> streamed.addAll(each.content().orElseThrow()));
        }
        assertThat(streamed).isEqualTo(content);
    }

    @Test
    void whatCannotBeIsRefusedByName() throws Exception {
        assertThatThrownBy(() -> client.completions()
                        .create(completion(5, 0)
                                .promptOfArrayOfStrings(PROMPTS)
                                .n(25)
                                .build()))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("at most 72 answers, n to each prompt, got 75");
        requireRefused("completions", "\"prompt\":\"a\",\"n\":2,\"tailrace\":{\"report\":true}", "tailrace.report");
        requireRefused("completions", "\"prompt\":\"a\",\"logprobs\":true", "logprobs");
        requireRefused("completions", "\"prompt\":\"a\",\"top_logprobs\":2", "top_logprobs");
        requireRefused("completions", "\"prompt\":[\"a\",[]]", "prompt");
        requireRefused("completions", "\"prompt\":[\"a\",5]", "prompt");
        String messages = "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],";
        requireRefused("chat/completions", messages + "\"logprobs\":3", "logprobs");
        requireRefused("chat/completions", messages + "\"top_logprobs\":3", "top_logprobs");
    }

    @Test
    void aWorkerThatSpacesItsEventsAnswersOneAtATime() throws Exception {
        EndpointOptions spaced = EndpointOptions.defaults().withVisibility(new DraftVisibility(false, 1));
        try (TestWorker hiding =
                TestWorker.start(folder.resolve("spaced"), TestWorker.repeating(), EngineOptions.defaults(), spaced)) {
            HttpResponse<String> two =
                    hiding.post("/v1/completions", "{\"model\":\"letters\",\"prompt\":[\"a\",\"b\"],\"max_tokens\":3}");
            assertThat(two.statusCode()).isEqualTo(400);
            assertThat(two.body()).contains("\"param\":\"prompt\"", "make a call for each");
            HttpResponse<String> one = hiding.post(
                    "/v1/completions", "{\"model\":\"letters\",\"prompt\":\"a\",\"max_tokens\":3,\"logprobs\":0}");
            assertThat(one.statusCode()).as(one.body()).isEqualTo(200);
            assertThat(one.body()).contains("\"token_logprobs\":[");
        }
    }

    @Test
    void ofACallWithoutRoomForAllItsAnswersNoneIsDecoded() throws Exception {
        EngineOptions small = EngineOptions.defaults().withBatchMax(1).withQueuedMax(1);
        try (TestWorker full =
                TestWorker.start(folder.resolve("full"), TestWorker.endless(), small, EndpointOptions.defaults())) {
            OpenAIClient impatient = client(full);
            try (StreamResponse<Completion> running = impatient
                    .completions()
                    .createStreaming(completion(50_000, 0).prompt("go").build())) {
                assertThat(running.stream().findFirst()).isPresent();
                CompletionCreateParams two =
                        completion(50_000, 0).prompt("me too").n(2).build();
                assertThatThrownBy(() -> impatient.completions().create(two))
                        .isInstanceOf(RateLimitException.class)
                        .hasMessageContaining("try again later");
            }
            Completion next = impatient
                    .completions()
                    .create(completion(5, 0).prompt("next").build());
            assertThat(next.usage().orElseThrow().completionTokens()).isEqualTo(5);
            assertThat(full.worker.scrape()).contains("tailrace_requests_cancelled_total{worker=\"test\"} 2.0");
        }
    }

    private static OpenAIClient client(TestWorker worker) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(worker.url() + "/v1")
                .apiKey("none")
                .maxRetries(0)
                .build();
    }

    private void requireRefused(String endpoint, String fields, String name) throws Exception {
        HttpResponse<String> answer = worker.post("/v1/" + endpoint, "{\"model\":\"letters\"," + fields + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("\"param\":\"" + name + "\"");
    }

    private void requireTrue(String prompt, List<String> tokens, List<Double> logprobs) {
        int[] context = new LetterTokenizer().encode(prompt, true);
        for (int i = 0; i < tokens.size(); i++) {
            int token = new LetterTokenizer().encode(tokens.get(i), true)[0];
            float[] row = worker.model.logits(context, context.length);
            double sum = 0;
            for (float logit : row) {
                sum += Math.exp(logit);
            }
            assertThat(logprobs.get(i)).isCloseTo(Math.log(Math.exp(row[token]) / sum), within(1e-9));
            context = Arrays.copyOf(context, context.length + 1);
            context[context.length - 1] = token;
        }
    }

    private static CompletionCreateParams.Builder completion(int tokens, double temperature) {
        return CompletionCreateParams.builder()
                .model(TestWorker.MODEL)
                .maxTokens(tokens)
                .temperature(temperature);
    }

    private static ChatCompletionCreateParams.Builder chat() {
        return ChatCompletionCreateParams.builder()
                .model(TestWorker.MODEL)
                .addUserMessage("who are you")
                .maxCompletionTokens(40);
    }

    private List<String> streamed(CompletionCreateParams params) {
        Map<Long, StringBuilder> texts = new TreeMap<>();
        try (StreamResponse<Completion> pieces = client.completions().createStreaming(params)) {
            pieces.stream()
                    .flatMap(piece -> piece.choices().stream())
                    .forEach(choice -> texts.computeIfAbsent(choice.index(), index -> new StringBuilder())
                            .append(choice.text()));
        }
        return texts.values().stream().map(StringBuilder::toString).toList();
    }
}
