package io.tailrace.lab.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.testkit.AllocationLimit;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** One line of recorded input. */
class RecordedLineFuzzTest {
    private static final int VOCABULARY = 1_000;

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "{\"id\":\"a\",\"prompt\":[1,2],\"response\":[3]}",
                        "{\"id\":\"b\",\"parent\":\"a\",\"session\":null,\"workload\":\"chat\",\"scope\":\"s\",\"response\":[999],\"more\":{\"x\":[1.5e3,true]}}",
                        "{\"id\":\"\\ud83d\\ude00\",\"response\":[-1,1000,99999999999999999999]}",
                        "[]")
                .flatMap(line -> Stream.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16BE)
                        .map(line::getBytes));
    }

    @MethodSource("seeds")
    @FuzzTest
    void aLineIsReadOrRefused(byte[] data) throws Exception {
        RecordedLine line;
        try {
            line = AllocationLimit.check(data.length, () -> RecordedLine.parse(data, data.length, VOCABULARY));
        } catch (BrokenLineException refused) {
            assertThat(refused.rule()).isNotBlank();
            assertThat(refused.value()).isNotBlank();
            assertThat(refused.remedy()).isNotBlank();
            return;
        }
        assertThat(line.id).isNotEmpty();
        assertThat(line.response).isNotEmpty();
        for (int[] tokens : new int[][] {line.prompt, line.response}) {
            for (int token : tokens) {
                assertThat(token).isBetween(0, VOCABULARY - 1);
            }
        }
    }
}
