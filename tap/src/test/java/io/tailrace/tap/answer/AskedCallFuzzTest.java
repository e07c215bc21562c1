package io.tailrace.tap.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client asks. */
class AskedCallFuzzTest {
    static Stream<byte[]> seeds() {
        return Stream.of(
                        "{\"model\":\"m\",\"prompt\":\"hi\",\"temperature\":0.5,\"stop\":[\"x\"],\"store\":false}",
                        "{\"prompt\":[\"hi\"],\"add_special_tokens\":false,\"echo\":true,\"cache_salt\":null,\"stop_token_ids\":[1]}",
                        "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"tool_calls\":[]}]}",
                        "{\"messages\":[{\"role\":\"tool\",\"content\":null,\"tool_call_id\":\"1\"}],\"tools\":[{}],\"functions\":{}}",
                        "[]")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aCallIsReadOrRefused(byte[] body) throws Exception {
        AskedCall call;
        try {
            call = AllocationLimit.check(body.length, () -> AskedCall.read(body));
        } catch (UnreadableException refused) {
            return;
        }
        call.isPrivate();
        call.hasStops();
        call.hasTools();
        call.isPlain();
        call.addsSpecialTokens(true);
        call.temperature();
        call.prompt().ifPresent(prompt -> assertThat(prompt.length()).isLessThanOrEqualTo(body.length));
        call.turns().ifPresent(turns -> assertThat(turns).isNotEmpty());
    }
}
