package io.tailrace.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import io.tailrace.worker.engine.RefusedRequestException;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.model.LetterTokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies of calls; the first byte says which endpoint has it. Whatever is wrong with one is the client's mistake. */
class CallReaderFuzzTest {
    private static final byte CHAT = 'm';

    @TempDir
    static Path folder;

    private static CallReader reader;

    @BeforeAll
    static void load() throws IOException {
        Files.writeString(
                folder.resolve("chat_template.jinja"),
                "{%- for m in messages %}<{{ m['role'] }}>{{ m['content'] | trim }}{%- endfor %}");
        reader = new CallReader(
                new DeafBackend(
                        new LetterTokenizer(),
                        JinjaChatTemplate.read(folder),
                        RefusedRequestException.Reason.QUEUE_FULL),
                new DraftVisibility(true, 0));
    }

    static Stream<byte[]> seeds() {
        return Stream.of(
                        """
                        p{"model":"letters","prompt":"once","max_tokens":3,"stop":["a","b"],"seed":1,"temperature":0.5,"top_p":0.9,
                        "top_k":-1,"stream":true,"stream_options":{"include_usage":true,"continuous_usage_stats":false},
                        "store":false,"tailrace":{"drafts":false,"report":true},"user":"me","n":1,"logit_bias":{}}""",
                        "p{\"model\":\"letters\",\"prompt\":[1,2,27],\"stop\":null,\"echo\":false,\"best_of\":1}",
                        "p{\"model\":\"letters\",\"prompt\":[\"one\"],\"max_tokens\":2147483647,\"logprobs\":false}",
                        "p{\"model\":\"letters\",\"prompt\":[\"one\",[1,2]],\"n\":3,\"best_of\":3,\"logprobs\":5}",
                        """
                        m{"model":"letters","messages":[{"role":"system","content":"be"},{"role":"user","name":"me",
                        "content":[{"type":"text","text":"hi"},{"type":"text","text":" there {{ x }}"}]},
                        {"role":"assistant","content":"a","refusal":null,"tool_calls":[]}],"max_completion_tokens":5,
                        "response_format":{"type":"text"},"tools":[],"tool_choice":"none","modalities":["text"],"n":2,
                        "logprobs":true,"top_logprobs":20}""",
                        "m{\"model\":\"other\",\"messages\":[]}",
                        "m[]")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aCallIsUnderstoodOrRefused(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        byte[] body = Arrays.copyOfRange(data, 1, data.length);
        boolean chat = data[0] == CHAT;
        try {
            CallReader.Call call = AllocationLimit.check(
                    body.length, () -> chat ? reader.chat(body, "scope") : reader.completion(body, "scope"));
            assertThat(call.chat()).isEqualTo(chat);
            assertThat(call.choices()).hasSizeBetween(1, 72);
            assertThat(call.choices().stream()
                            .flatMapToInt(choice -> Arrays.stream(choice.prompt()))
                            .filter(token -> token < 0 || token >= LetterTokenizer.VOCABULARY))
                    .isEmpty();
        } catch (ApiException refused) {
            assertThat(refused.status()).isIn(400, 404);
            assertThat(refused.body().toString()).isNotBlank();
        } catch (RefusedRequestException refused) {
            assertThat(refused.reason()).isEqualTo(RefusedRequestException.Reason.TOO_LONG);
        }
    }
}
