package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.llama.TinyTokenizer;
import io.tailrace.worker.djl.DjlTokenizer;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A body is the client's affair: whatever is wrong with it, the server says so and is not at fault itself. */
class HostileBodiesTest {
    private static final long SEED = 4_019;
    private static final int BODIES = 4_000;
    private static final List<String> PATHS = List.of("/v1/completions", "/v1/chat/completions");
    private static final List<String> GOOD = List.of(
            "{\"model\":\"letters\",\"prompt\":\"%s\",\"max_tokens\":3,\"stop\":[\"%s\"],\"seed\":%d}",
            "{\"model\":\"letters\",\"messages\":[{\"role\":\"%s\",\"content\":\"%s\"}],\"temperature\":%d}");

    @TempDir
    private Path folder;

    private DjlTokenizer tokenizer;
    private ServingEndpoint endpoint;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        Files.writeString(folder.resolve("tokenizer.json"), TinyTokenizer.json());
        Files.writeString(
                folder.resolve("chat_template.jinja"),
                "{%- for m in messages %}<{{ m['role'] }}>{{ m['content'] | trim }}{%- endfor %}");
        tokenizer = DjlTokenizer.load(folder);
        Backend backend =
                new DeafBackend(tokenizer, JinjaChatTemplate.read(folder), RefusedRequestException.Reason.QUEUE_FULL);
        endpoint = ServingEndpoint.start(EndpointOptions.defaults(), backend);
    }

    @AfterEach
    void stop() {
        endpoint.close();
        tokenizer.close();
    }

    @Test
    void limitsOfJsonAndOddTextsAreToldAsMistakes() throws Exception {
        List<String> bodies = new ArrayList<>(List.of(
                "",
                " ",
                "nul",
                "{",
                "{}}",
                "\u0000",
                nested(1_500),
                good().replace("3,", "1" + "0".repeat(1_500) + ","),
                good().replace("3,", "1." + "0".repeat(1_500) + ","),
                good().replace("3,", "1e999999999,"),
                good().replace("{", "{\"" + "n".repeat(60_000) + "\":1,"),
                good().replace("a", "\\ud800"),
                good().replace("a", "\\udc00\\ud800"),
                good().replace("a", "\\u0000"),
                good().replace("\"a\"", nested(900))));
        bodies.add(good().replace("\"model\":\"letters\"", "\"model\":\"\\ud83d\""));
        for (String body : bodies) {
            for (String path : PATHS) {
                requireClientsMistake(path, body.getBytes(StandardCharsets.UTF_8), shown(body));
            }
        }
        byte[] good = good().getBytes(StandardCharsets.UTF_16);
        requireClientsMistake(PATHS.get(0), good, "UTF-16");
        requireClientsMistake(PATHS.get(0), new byte[] {0, 0, 0, '{', 0, 0}, "half of UTF-32");
        requireClientsMistake(PATHS.get(0), new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'}, "no UTF-8");
        requireClientsMistake(PATHS.get(0), new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, "a mark alone");
    }

    /** Two bytes of text are 80 of heap: many at once would be all of it. */
    @Test
    void aBodyOfManyPartsIsRefusedBeforeItIsBuilt() throws Exception {
        String parts = "[" + "{},".repeat(CallJson.PARTS_MAX / 2) + "{}]";
        for (String body : List.of("{\"a\":" + parts + "}", good().replace("\"a\"", parts))) {
            for (String path : List.of("/v1/completions", "/v1/chat/completions", "/tokenize")) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(endpoint.port(), path)))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(path).isEqualTo(400);
                assertThat(answer.body()).as(path).contains("no JSON that can be read");
            }
        }
    }

    @Test
    void aMethodThatAHeaderOverridesIsNoPost() throws Exception {
        for (String path : List.of("/v1/completions", "/v1/chat/completions", "/tokenize")) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(endpoint.port(), path)))
                            .header("X-HTTP-Method-Override", "POST")
                            .GET()
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path).isEqualTo(405);
            assertThat(answer.body()).contains("send this call by POST, not by GET");
        }
    }

    @Test
    void noDamageToABodyMakesTheServerFail() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        int understood = 0;
        for (int i = 0; i < BODIES; i++) {
            String path = PATHS.get(random.nextInt(2));
            byte[] body = damaged(random, GOOD.get(random.nextInt(2)).formatted(text(random), text(random), 1));
            int status = requireClientsMistake(path, body, "seed %d, body %d".formatted(SEED, i));
            understood += status == 429 ? 1 : 0;
        }
        assertThat(understood).as("bodies that were understood all the same").isGreaterThan(BODIES / 50);
    }

    /** 429 is what a body gets that is understood. */
    private int requireClientsMistake(String path, byte[] body, String what) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(endpoint.port(), path)))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode())
                .as("%s: %s\n%s", what, shown(new String(body, StandardCharsets.ISO_8859_1)), answer.body())
                .isIn(400, 404, 429);
        assertThat(answer.body()).startsWith("{\"error\":{\"message\":\"");
        return answer.statusCode();
    }

    private static String good() {
        return GOOD.get(0).formatted("a", "b", 1);
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private static String shown(String body) {
        return body.length() < 200 ? body : body.substring(0, 200) + "...";
    }

    /** Of characters that are escaped, of several bytes, or nothing at all. */
    private static String text(SplittableRandom random) {
        List<String> pieces = List.of(
                "a", " ", "\\n", "\u00e9", "\u4e2d", "\ud83d\ude00", "\\ud800", "\\u0000", "{{", "%}", "<|begin|>");
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(pieces.get(random.nextInt(pieces.size())));
        }
        return text.toString();
    }

    /** Some bytes are changed, taken out or doubled; or nothing is. */
    private static byte[] damaged(SplittableRandom random, String body) {
        byte[] whole = body.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i > 0; i--) {
            int from = random.nextInt(whole.length);
            int to = Math.min(whole.length, from + random.nextInt(6));
            ByteArrayOutputStream next = new ByteArrayOutputStream();
            next.write(whole, 0, from);
            switch (random.nextInt(4)) {
                case 0 -> next.write(random.nextInt(256));
                case 1 -> next.writeBytes("[".repeat(random.nextInt(2_000)).getBytes(StandardCharsets.UTF_8));
                case 2 -> next.write(whole, from, to - from);
                default -> from = Math.min(to, whole.length - 1);
            }
            next.write(whole, from, whole.length - from);
            whole = next.toByteArray();
        }
        return whole;
    }
}
