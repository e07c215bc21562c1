package io.tailrace.tap.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.provider.MethodSource;

/** What a server answers, JSON or a stream, packed or not: the first byte says which. */
class AnswerBodyFuzzTest {
    private static final int UNPACKED_BYTES_MAX = 1 << 16;
    private static final String[] ENCODINGS = {null, "gzip", "deflate", "identity"};
    private static final String[] TYPES = {"application/json", "text/event-stream; charset=utf-8"};

    private static final String WHOLE = """
            {"id":"cmpl-1","model":"m","choices":[{"index":0,"text":"hi","token_ids":[1,2],"prompt_token_ids":[3],
            "finish_reason":"stop","stop_reason":7}],"usage":{"prompt_tokens":1,"completion_tokens":2}}""";
    private static final String STREAM = """
            data: {"id":"chat-1","choices":[{"index":0,"delta":{"role":"assistant","content":"h"},"token_ids":[1]}]}

            data: {"choices":[{"index":1,"delta":{"tool_calls":[{"id":"t"}],"content":null},"finish_reason":"length"}]}

            : comment
            data: {"choices":[],"usage":{"completion_tokens":3},"prompt_token_ids":[9,9]}

            data: [DONE]

            """;

    static Stream<byte[]> seeds() {
        return Stream.of(
                input(0, 0, WHOLE),
                input(0, 1, STREAM),
                input(1, 0, WHOLE),
                input(2, 1, STREAM),
                input(3, 1, STREAM.replace("\n", "\r\n")),
                input(0, 0, "{\"error\":{\"message\":\"no\"}}"));
    }

    private static byte[] input(int encoding, int type, String body) {
        byte[] packed = packed(encoding, body.getBytes(StandardCharsets.UTF_8));
        byte[] input = new byte[packed.length + 1];
        input[0] = (byte) ((encoding << 1) | type);
        System.arraycopy(packed, 0, input, 1, packed.length);
        return input;
    }

    private static byte[] packed(int encoding, byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var out =
                encoding == 1 ? new GZIPOutputStream(bytes) : encoding == 2 ? new DeflaterOutputStream(bytes) : bytes) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @MethodSource("seeds")
    @FuzzTest
    void anAnswerIsReadOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        byte[] body = Arrays.copyOfRange(data, 1, data.length);
        try {
            byte[] text = AllocationLimit.check(
                    body.length, () -> BodyText.of(body, ENCODINGS[(data[0] >> 1) & 3], UNPACKED_BYTES_MAX));
            assertThat(text.length).isLessThanOrEqualTo(Math.max(body.length, UNPACKED_BYTES_MAX));
            ReadAnswer answer = AllocationLimit.check(text.length, () -> ReadAnswer.read(TYPES[data[0] & 1], text));
            check(answer, text.length);
        } catch (UnreadableException refused) {
            assertThat(refused).hasMessageMatching("(?s).+");
        }
    }

    private static void check(ReadAnswer answer, int bytes) {
        int before = Integer.MIN_VALUE;
        for (ReadAnswer.Choice choice : answer.choices()) {
            assertThat(choice.index()).isGreaterThanOrEqualTo(before);
            before = choice.index();
            assertThat(choice.text().length()).isLessThanOrEqualTo(bytes);
            assertTokens(choice.ids());
            assertTokens(choice.promptIds());
        }
    }

    private static void assertTokens(int[] ids) {
        if (ids != null) {
            assertThat(Arrays.stream(ids).filter(id -> id < 0)).isEmpty();
        }
    }
}
