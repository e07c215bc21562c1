package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys of records, and paths of the store: lanes as text. The input is UTF-16, so that halves of characters come too. */
class LaneIdFuzzTest {
    static Stream<byte[]> seeds() {
        return Stream.of("llama@1/acme", "a%2Fb@r%40/..", "m@r/%2E%2e", "m@r/%zz", "ä€@😀/x+y", "m@r/\ud800", "@/", "")
                .map(text -> text.getBytes(StandardCharsets.UTF_16BE));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aLaneIsReadOrRefused(byte[] data) throws Exception {
        char[] chars = new char[data.length / 2];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) ((data[2 * i] << 8) | (data[2 * i + 1] & 0xFF));
        }
        LaneId lane;
        try {
            lane = AllocationLimit.check(data.length, () -> LaneId.parse(new String(chars)));
        } catch (IllegalArgumentException refused) {
            return;
        }
        String text = lane.toString();
        assertThat(LaneId.parse(text)).isEqualTo(lane);
        assertThat(LaneId.of(lane.toLane())).isEqualTo(lane);
        assertThat(text).matches("[A-Za-z0-9.*_%+-]+@[A-Za-z0-9.*_%+-]+/[A-Za-z0-9.*_%+-]+");
        assertThat(text.split("[@/]", -1)).doesNotContain(".", "..");
    }
}
