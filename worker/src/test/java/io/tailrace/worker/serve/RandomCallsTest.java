package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.engine.EngineOptions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever somebody sends, it is answered or refused: the server is never at fault. */
class RandomCallsTest {
    private static final long SEED = 181;
    private static final int CALLS = 3_000;
    private static final List<String> NAMES = List.of(
            "model",
            "prompt",
            "messages",
            "max_tokens",
            "max_completion_tokens",
            "temperature",
            "top_p",
            "top_k",
            "seed",
            "stop",
            "stream",
            "stream_options",
            "store",
            "tailrace",
            "role",
            "content",
            "type",
            "text",
            "include_usage",
            "drafts",
            "report",
            "n",
            "best_of",
            "logprobs",
            "top_logprobs",
            "tools",
            "user",
            "logit_bias",
            "response_format",
            "name",
            "refusal",
            "unheard_of");
    private static final List<String> SCALARS = List.of(
            "null",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "2.5",
            "1e400",
            "-1e-400",
            "99999999999999999999",
            "\"\"",
            "\"letters\"",
            "\"user\"",
            "\"text\"",
            "\"once upon\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"nobody\"");

    @TempDir
    private Path folder;

    @Test
    void noCallMakesTheServerFail() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        int answered = 0;
        try (TestWorker worker =
                TestWorker.start(folder, TestWorker.repeating(), EngineOptions.defaults(), TestWorker.reporting())) {
            for (int i = 0; i < CALLS; i++) {
                boolean chat = random.nextBoolean();
                String body = random.nextInt(10) == 0 ? cut(random, call(random, chat)) : call(random, chat);
                HttpResponse<String> answer = worker.post(chat ? "/v1/chat/completions" : "/v1/completions", body);
                assertThat(answer.statusCode())
                        .as("seed %d, call %d: %s\n%s", SEED, i, body, answer.body())
                        .isIn(200, 400, 404);
                answered += answer.statusCode() == 200 ? 1 : 0;
            }
        }
        assertThat(answered).as("calls that were understood").isGreaterThan(CALLS / 50);
    }

    /** Sometimes anything, mostly a good call with something odd in it. */
    private static String call(SplittableRandom random, boolean chat) {
        if (random.nextInt(10) == 0) {
            return value(random, 4);
        }
        String odd = IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> ",\"%s\":%s".formatted(name(random), value(random, 3)))
                .collect(Collectors.joining());
        String asked = chat
                ? "\"messages\":[%s]".formatted(message(random))
                : "\"prompt\":%s".formatted(random.nextInt(3) == 0 ? value(random, 2) : "\"once\"");
        return "{\"model\":\"letters\",\"max_tokens\":3,%s%s}".formatted(asked, odd);
    }

    private static String message(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> "{\"role\":\"user\",\"content\":%s}".formatted(value(random, 3));
            case 1 -> value(random, 3);
            default -> "{\"role\":\"user\",\"content\":\"hi\"}";
        };
    }

    private static String value(SplittableRandom random, int depth) {
        int kind = depth == 0 ? 2 : random.nextInt(4);
        int size = random.nextInt(3);
        if (kind == 0) {
            return IntStream.range(0, size)
                    .mapToObj(i -> value(random, depth - 1))
                    .collect(Collectors.joining(",", "[", "]"));
        }
        if (kind == 1) {
            return IntStream.range(0, size)
                    .mapToObj(i -> "\"%s\":%s".formatted(name(random), value(random, depth - 1)))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return SCALARS.get(random.nextInt(SCALARS.size()));
    }

    private static String name(SplittableRandom random) {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private static String cut(SplittableRandom random, String whole) {
        return whole.substring(0, random.nextInt(whole.length()));
    }
}
