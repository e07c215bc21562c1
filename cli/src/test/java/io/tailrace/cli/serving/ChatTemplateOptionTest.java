package io.tailrace.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tailrace worker --chat-template}, as the command runs. */
class ChatTemplateOptionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:\\d+)/v1");
    private static final String TEMPLATE =
            "{{ bos_token }}{% for message in messages %}[{{ message.role }}] {{ message.content }}{% endfor %} [answer]";
    private static final String GREEDY = "\"model\": \"tiny\", \"max_tokens\": 24, \"temperature\": 0}";

    @TempDir
    Path folder;

    /** A completion begins with the begin token, as the option's template does. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChatIsAnsweredAsTheTextThatTheOptionsTemplateMakesOfIt(boolean modelHasAnother) throws Exception {
        Path model = ModelDirectory.write(
                folder.resolve("tiny"), TinyLlama.random(TinyLlama.Shape.small(), 7), WeightType.F32, 1);
        if (!modelHasAnother) {
            Files.writeString(model.resolve("tokenizer_config.json"), "{\"bos_token\": \"<|begin|>\"}");
        }
        Path template = Files.writeString(folder.resolve("given.jinja"), TEMPLATE);
        StringWriter said = new StringWriter();
        Thread worker = start(said, model, template);
        try {
            String address = address(worker, said);
            JsonNode text =
                    post(address + "/v1/completions", "{\"prompt\": \"[user] and then the end [answer]\", " + GREEDY);
            JsonNode chat = post(
                    address + "/v1/chat/completions",
                    "{\"messages\": [{\"role\": \"user\", \"content\": \"and then the end\"}], " + GREEDY);
            assertThat(chat.at("/usage/prompt_tokens").asInt())
                    .isEqualTo(text.at("/usage/prompt_tokens").asInt())
                    .isPositive();
            assertThat(chat.at("/choices/0/message/content").asText())
                    .isEqualTo(text.at("/choices/0/text").asText())
                    .isNotEmpty();
        } finally {
            worker.interrupt();
            worker.join();
        }
    }

    private static Thread start(StringWriter said, Path model, Path template) {
        PrintWriter out = new PrintWriter(said, true);
        Thread worker = new Thread(
                () -> Tailrace.commandLine()
                        .setOut(out)
                        .setErr(out)
                        .execute(
                                "worker",
                                "--model",
                                model.toString(),
                                "--device",
                                "cpu",
                                "--port",
                                "0",
                                "--chat-template",
                                template.toString()),
                "worker-command");
        worker.start();
        return worker;
    }

    private static String address(Thread worker, StringWriter said) {
        Awaitility.await("the worker")
                .atMost(START_MAX)
                .failFast(() -> assertThat(worker.isAlive()).as("%s", said).isTrue())
                .until(() -> ADDRESS.matcher(said.toString()).find());
        Matcher found = ADDRESS.matcher(said.toString());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static JsonNode post(String url, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }
}
