package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {
    @Test
    void thePeakIsReadNotWhatIsResidentNow() {
        assertThat(ResidentMemory.peakBytes(
                        List.of("VmPeak:\t 9000 kB", "VmHWM:\t  2048 kB", "VmRSS:\t  1024 kB", "Threads:\t12")))
                .isEqualTo(2_048 * 1_024);
    }

    @Test
    void aSystemThatDoesNotTellHasNone() {
        assertThat(ResidentMemory.peakBytes(List.of("VmRSS:\t  1024 kB"))).isZero();
    }

    @Test
    void thisProcessHasMoreThanItsClassesTake() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/status")));
        assertThat(ResidentMemory.peakBytes()).isBetween(20_000_000L, 1L << 40);
    }
}
