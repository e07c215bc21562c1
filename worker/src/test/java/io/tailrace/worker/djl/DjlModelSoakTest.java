package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many requests, eight at a time, with trees, commits and every kind of reading: what they took is given back. */
@Tag("full")
class DjlModelSoakTest {
    /** Two runs grew by 40 and 180 kB; a kilobyte kept of each request would be 10,000. */
    private static final long GROWTH_KB_MAX = 2_500;

    @TempDir
    Path folder;

    @Test
    void residentSizeIsFlatOverTenThousandRequests() throws Exception {
        Assumptions.assumeTrue(Files.exists(DjlModelSoak.STATUS), "resident size is read from /proc");
        String said = soak();
        System.out.printf(
                "resident size after %,d requests and after each thousand more, in kB: %s%n",
                DjlModelSoak.WARM_UP_REQUESTS, said);
        long[] sizes =
                Arrays.stream(said.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        assertThat(sizes).hasSize(1 + DjlModelSoak.REQUESTS / 1_000);
        assertThat(Arrays.stream(sizes).map(size -> size - sizes[0]).max().orElseThrow())
                .isLessThan(GROWTH_KB_MAX);
    }

    /**
     * In a JVM of its own, whose heap is resident from the start: what grows then is not the heap. Without the optimising compiler, whose memory comes and goes by
     * ten megabytes.
     */
    private String soak() throws IOException, InterruptedException {
        Path output = folder.resolve("soak.out");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms256m",
                        "-Xmx256m",
                        "-XX:+AlwaysPreTouch",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DjlModelSoak.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        List<String> lines = Files.readAllLines(output);
        return lines.get(lines.size() - 1);
    }
}
