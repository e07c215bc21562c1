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
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker of this project as the server, with a small pretrained model: it gives no token ids, so its texts are tokenised. */
class WorkerUpstreamTest {
    private static final Path MODEL = Path.of("shared", "models", "tinystories-656k");
    private static final String NAME = "stories";
    private static final String CALL =
            "{\"model\":\"stories\",\"prompt\":\"%s\",\"max_tokens\":%d,\"temperature\":0,\"stream\":%b%s}";
    private static final Pattern TEXT = Pattern.compile("\"text\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final String[] PROMPTS = {"Once upon a time", "The dog said:", "Lily and Tom"};

    @TempDir
    private Path folder;

    @Test
    void whatAWorkerSaysIsPublishedInTheTokensThatItSaid() throws Exception {
        Path directory = find();
        LanguageModel model = DjlModels.load(ModelOptions.of(directory));
        try (ServingWorker worker = worker(model);
                ServingEndpoint endpoint = ServingEndpoint.start(EndpointOptions.defaults(), worker);
                DjlTokenizer tokenizer = DjlTokenizer.load(directory);
                KeptReports reports = new KeptReports();
                Tap tap = tap(endpoint.port(), tokenizer, model, reports)) {
            int calls = 0;
            for (String prompt : PROMPTS) {
                for (boolean stream : new boolean[] {false, true}) {
                    String asked = CALL.formatted(
                            prompt, 40, stream, stream ? ",\"stream_options\":{\"include_usage\":true}" : "");
                    String direct = post(endpoint.port(), asked);
                    String tapped = post(tap.port(), asked);
                    assertThat(text(tapped)).isNotEmpty().isEqualTo(text(direct));
                    int all = ++calls;
                    Awaitility.await().until(() -> reports.generations.size() == all);
                    assertPublished(reports.generations.get(calls - 1), prompt, tapped, tokenizer);
                }
            }
        }
    }

    private static void assertPublished(Generation published, String prompt, String answer, DjlTokenizer tokenizer) {
        int[] response = TokenIds.toArray(published.getResponse());
        assertThat(answer).contains("\"completion_tokens\":" + response.length);
        assertThat(answer).contains(published.getRequestId());
        int[] before = TokenIds.toArray(published.getPrompt());
        assertThat(before).isEqualTo(tokenizer.encode(prompt, true));
        int[] all = Arrays.copyOf(before, before.length + response.length);
        System.arraycopy(response, 0, all, before.length, response.length);
        assertThat(tokenizer.decode(all)).startsWith(prompt);
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

    private static Tap tap(int port, DjlTokenizer tokenizer, LanguageModel model, KeptReports reports)
            throws IOException {
        ProxyOptions proxy = ProxyOptions.to(URI.create("http://127.0.0.1:" + port), TestTap.CHAT_SCOPE);
        AnswerTokenizer texts = new AnswerTokenizer(tokenizer, model.chat(), Optional.of(model.endTokens()[0]));
        PublishOptions publish = new PublishOptions("tap", NAME, "main", true, Optional.of(texts));
        return Tap.start(proxy, 0, publish, reports);
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
