package io.tailrace.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.TokenIds;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.http.ServingEndpoint;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.serve.ServingWorker;
import io.tailrace.worker.serve.ServingWorkerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker of this project as the server, with a small pretrained model: it gives no token ids, so its texts are tokenised. */
class WorkerUpstreamTest {
    private static final Path MODEL = Path.of("shared", "models", "tinystories-656k");
    private static final String NAME = "stories";
    private static final String CALL =
            "{\"model\":\"stories\",\"prompt\":\"%s\",\"max_tokens\":%d,\"temperature\":0,\"stream\":%b%s}";
    private static final Pattern TEXT = Pattern.compile("\"text\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final int TOKENS = 40;
    private static final String[] PROMPTS = {"Once upon a time", "One day, Tim", "Lily and Tom"};

    @TempDir
    private Path folder;

    /** A model may say a text in other tokens than its tokenizer would: that is not published, and so is nothing that was not said. */
    @Test
    void whatAWorkerSaysIsPublishedInTheTokensThatItSaidOrNotAtAll() throws Exception {
        Path directory = find();
        LanguageModel model = DjlModels.load(ModelOptions.of(directory));
        try (ServingWorker worker = worker(model);
                ServingEndpoint endpoint = ServingEndpoint.start(EndpointOptions.defaults(), worker);
                DjlTokenizer tokenizer = DjlTokenizer.load(directory);
                KeptReports reports = new KeptReports();
                TestTap tap = tap(endpoint.port(), tokenizer, model, reports)) {
            int published = 0;
            int skipped = 0;
            for (String prompt : PROMPTS) {
                int[] before = tokenizer.encode(prompt, true);
                int[] said = said(worker, before);
                int[] all = joined(before, said);
                boolean usual = Arrays.equals(all, tokenizer.encode(tokenizer.decode(all), true));
                for (boolean stream : new boolean[] {false, true}) {
                    String asked = CALL.formatted(
                            prompt, TOKENS, stream, stream ? ",\"stream_options\":{\"include_usage\":true}" : "");
                    String direct = post(endpoint.port(), asked);
                    String tapped = post(tap.tap.port(), asked);
                    assertThat(text(tapped)).isNotEmpty().isEqualTo(text(direct));
                    if (usual) {
                        int count = ++published;
                        TestTap.await().until(() -> reports.generations.size() == count);
                        assertPublished(reports.generations.get(count - 1), before, said, tapped);
                    } else {
                        int count = ++skipped;
                        TestTap.await().until(() -> tap.skipped("inexact") == count);
                    }
                }
            }
            assertThat(reports.generations).hasSize(published);
            assertThat(published).isPositive();
            assertThat(skipped).isPositive();
        }
    }

    private static void assertPublished(Generation published, int[] prompt, int[] said, String answer) {
        assertThat(TokenIds.toArray(published.getPrompt())).isEqualTo(prompt);
        assertThat(TokenIds.toArray(published.getResponse())).isEqualTo(said);
        assertThat(answer).contains("\"completion_tokens\":" + said.length);
        assertThat(answer).contains(published.getRequestId());
    }

    /** What the worker answers, without HTTP between. */
    private static int[] said(ServingWorker worker, int[] prompt) throws Exception {
        CompletableFuture<int[]> said = new CompletableFuture<>();
        worker.submit(DecodeRequest.greedy("direct", "chat", prompt, TOKENS), new Answer.Sink() {
            @Override
            public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {
                // All of them come at the end.
            }

            @Override
            public void finished(Answer answer) {
                said.complete(answer.decoded().output());
            }

            @Override
            public void failed(Throwable cause) {
                said.completeExceptionally(cause);
            }
        });
        return said.get(60, TimeUnit.SECONDS);
    }

    private static int[] joined(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private ServingWorker worker(LanguageModel model) throws IOException {
        ServedModel served = new ServedModel(
                NAME, "main", model.target().vocabularySize(), model.tokenizer().fingerprint());
        ServingWorker worker = new ServingWorker(
                ServingWorkerOptions.alone("w", served, FollowOptions.of(folder.toUri(), folder.resolve("cache"))),
                model);
        worker.start();
        return worker;
    }

    private static TestTap tap(int port, DjlTokenizer tokenizer, LanguageModel model, KeptReports reports)
            throws IOException {
        ProxyOptions proxy = ProxyOptions.to(URI.create("http://127.0.0.1:" + port), TestTap.CHAT_SCOPE);
        AnswerTokenizer texts = new AnswerTokenizer(tokenizer, model.chat(), Optional.of(model.endTokens()[0]));
        return TestTap.before(proxy, new PublishOptions("tap", NAME, "main", true, Optional.of(texts)), reports);
    }

    private static String post(int port, String body) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/completions"))
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** How much of it is in one event is a matter of time. */
    private static String text(String answer) {
        return TEXT.matcher(answer).results().map(each -> each.group(1)).collect(Collectors.joining());
    }

    private static Path find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(MODEL).resolve("config.json"))) {
                return at.resolve(MODEL);
            }
        }
        assumeTrue(false, "NOT RUN: %s is in no folder above this one".formatted(MODEL));
        throw new AssertionError("unreachable");
    }
}
