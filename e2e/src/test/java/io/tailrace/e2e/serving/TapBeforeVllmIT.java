package io.tailrace.e2e.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.e2e.engine.TestEngine;
import io.tailrace.e2e.loop.TopicReader;
import io.tailrace.lab.engine.EngineModel;
import io.tailrace.lab.engine.VllmServer;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code tailrace tap} before a stock vLLM: what clients were told is what is published, in every form in which vLLM tells it. */
@Tag("full")
@EnabledIf(value = "io.tailrace.e2e.engine.TestEngine#isHere", disabledReason = TestEngine.ABSENT)
class TapBeforeVllmIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MODEL = "tiny";
    private static final String COMPLETIONS = "/v1/completions";
    private static final String CHAT = "/v1/chat/completions";
    private static final String EVENT = "data: ";
    private static final String DONE = "[DONE]";
    private static final String PROMPT = "abcabcabcabc";
    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);
    private static final Duration PUBLISHED_MAX = Duration.ofMinutes(1);
    private static final int CONTEXT = 512;

    @TempDir
    private Path folder;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** What a client was told, by the id that its generation has. */
    private final Map<String, Told> told = new TreeMap<>();

    private URI tap;

    /** Ids of a prompt and of what was said. */
    private record Told(List<Integer> prompt, List<Integer> response) {}

    @Test
    void whatVllmTellsItsClientsIsPublished() throws Exception {
        EngineModel model = EngineModel.make(folder.resolve("model"), MODEL, CONTEXT);
        try (VllmServer vllm = VllmServer.launch(
                        TestEngine.open(), model, List.of(), List.of(), Map.of(), folder.resolve("vllm.log"));
                BrokerProcess broker = BrokerProcess.start(folder.resolve("broker"))) {
            vllm.awaitReady();
            List<String> arguments =
                    List.of("--scope", "chat", "--tokenizer", model.folder().toString());
            try (TapChild child = TapChild.start(folder, "tap", vllm.address(), MODEL, broker.bootstrap(), arguments)) {
                tap = URI.create(child.address());
                askInEveryForm();
                child.awaitMetric("tailrace_tap_published_total", told.size());
                goEarly();
                askInPrivate();
                awaitSkipped(child, "aborted");
                awaitSkipped(child, "private");
                child.awaitMetric("tailrace_spool_records", 0);
                child.awaitMetric("tailrace_tap_skipped_total", 2);
            }
            Map<String, Told> published = new TopicReader(broker.bootstrap())
                    .read(Topic.GENERATIONS, RecordCodec.GENERATION).stream()
                            .collect(Collectors.toMap(Generation::getRequestId, TapBeforeVllmIT::told));
            assertThat(published).isEqualTo(told);
        }
    }

    private static Told told(Generation generation) {
        return new Told(generation.getPrompt(), generation.getResponse());
    }

    private void askInEveryForm() throws Exception {
        JsonNode whole = answer(COMPLETIONS, completion().put("return_token_ids", true));
        hear(List.of(whole));
        hear(stream(COMPLETIONS, completion().put("return_token_ids", true)));
        hear(stream(COMPLETIONS, counted(completion().put("return_token_ids", true))));
        hear(List.of(answer(
                COMPLETIONS,
                completion()
                        .put("return_token_ids", true)
                        .put("n", 2)
                        .put("temperature", 1)
                        .put("seed", 1))));
        hear(stream(
                COMPLETIONS,
                completion()
                        .put("return_token_ids", true)
                        .put("n", 2)
                        .put("temperature", 1)
                        .put("seed", 1)));
        hear(List.of(answer(CHAT, chat().put("return_token_ids", true))));
        hear(stream(CHAT, chat().put("return_token_ids", true)));
        hear(stream(CHAT, counted(chat().put("return_token_ids", true))));
        String said = whole.at("/choices/0/text").asText();
        String stop = said.substring(said.length() / 2, said.length() / 2 + 3);
        hear(List.of(
                answer(COMPLETIONS, completion().put("return_token_ids", true).put("stop", stop))));
        hear(stream(COMPLETIONS, completion().put("return_token_ids", true).put("stop", stop)));

        // Of texts alone the tap makes the ids itself: the same question was answered with ids above.
        JsonNode text = answer(COMPLETIONS, completion());
        told.put(text.get("id").asText(), told.get(whole.get("id").asText()));
        List<JsonNode> texts = stream(COMPLETIONS, counted(completion()));
        told.put(texts.get(0).get("id").asText(), told.get(whole.get("id").asText()));
    }

    private static ObjectNode completion() {
        return question().put("prompt", PROMPT);
    }

    private static ObjectNode chat() {
        ObjectNode asked = question();
        asked.putArray("messages").addObject().put("role", "user").put("content", PROMPT);
        return asked;
    }

    private static ObjectNode question() {
        return JSON.createObjectNode()
                .put("model", MODEL)
                .put("max_tokens", 24)
                .put("temperature", 0)
                .put("ignore_eos", true);
    }

    private static ObjectNode counted(ObjectNode asked) {
        asked.putObject("stream_options").put("include_usage", true);
        return asked;
    }

    /** A client that goes after the first piece of a long answer. */
    private void goEarly() throws Exception {
        ObjectNode asked = completion().put("return_token_ids", true).put("max_tokens", 400);
        HttpResponse<InputStream> answer =
                http.send(request(COMPLETIONS, asked.put("stream", true)), BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            assertThat(body.read()).isNotNegative();
        }
    }

    private void askInPrivate() throws Exception {
        answer(COMPLETIONS, completion().put("return_token_ids", true).put("store", false));
    }

    private static void awaitSkipped(TapChild child, String reason) {
        Awaitility.await(reason).atMost(PUBLISHED_MAX).until(() -> child.skipped(reason) == 1);
    }

    /** Takes down what a client was told in these pieces. */
    private void hear(List<JsonNode> pieces) {
        Map<Integer, Told> choices = new TreeMap<>();
        for (JsonNode piece : pieces) {
            for (JsonNode choice : piece.get("choices")) {
                Told one = choices.computeIfAbsent(
                        choice.get("index").asInt(), index -> new Told(new ArrayList<>(), new ArrayList<>()));
                add(choice.path("token_ids"), one.response);
            }
        }
        for (Told one : choices.values()) {
            add(promptIds(pieces), one.prompt);
            assertThat(one.prompt).isNotEmpty();
            assertThat(one.response).isNotEmpty();
        }
        String id = pieces.get(0).get("id").asText();
        choices.forEach((index, one) -> told.put(choices.size() == 1 ? id : id + "/" + index, one));
    }

    /** Chats name them beside the choices, completions in each choice; a stream in its first piece. */
    private static JsonNode promptIds(List<JsonNode> pieces) {
        JsonNode beside = pieces.get(0).path("prompt_token_ids");
        return beside.isArray() ? beside : pieces.get(0).at("/choices/0/prompt_token_ids");
    }

    private static void add(JsonNode ids, List<Integer> all) {
        ids.forEach(id -> all.add(id.intValue()));
    }

    private JsonNode answer(String path, ObjectNode asked) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request(path, asked), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** The pieces of a stream that has said that it is whole. */
    private List<JsonNode> stream(String path, ObjectNode asked) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request(path, asked.put("stream", true)), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<String> events = answer.body()
                .lines()
                .filter(line -> line.startsWith(EVENT))
                .map(line -> line.substring(EVENT.length()))
                .toList();
        assertThat(events).endsWith(DONE);
        List<JsonNode> pieces = new ArrayList<>();
        for (String event : events.subList(0, events.size() - 1)) {
            pieces.add(JSON.readTree(event));
        }
        return pieces;
    }

    private HttpRequest request(String path, ObjectNode asked) {
        return HttpRequest.newBuilder(tap.resolve(path))
                .header("Content-Type", "application/json")
                .timeout(ANSWER_MAX)
                .POST(BodyPublishers.ofString(asked.toString()))
                .build();
    }
}
