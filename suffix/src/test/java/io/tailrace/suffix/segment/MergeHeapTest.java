package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Merges segments in a process whose heap is what {@link Compaction#heapBytes} says, and little more. */
class MergeHeapTest {
    private static final int VOCABULARY = 32_000;
    private static final int RECENT = 200;
    /** A virtual machine that has started, and what a collector cannot use. */
    private static final long BESIDE_BYTES = 12 << 20;

    private static final int SECONDS_MAX = 120;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "documents of {0} tokens, {1} times each, producers of {2} characters, segments of {3}")
    @CsvSource({
        "200, 1, 1, 1500000 1000000 400000 100000",
        "200, 1, 1, 600000 600000 600000",
        "200, 1, 1, 1200000 60000 60000 60000 60000 60000 60000 60000 60000",
        " 10, 1, 1, 300000 200000 100000",
        " 50, 20, 1, 400000 200000",
        "  1, 20, 200, 4000 2000", // each of another name
        "  1, 20, 9, 8000 4000",
        "200, 1, 1, 2000000", // rewritten for a delete
    })
    void aMergeTakesNoMoreHeapThanIsSaid(int documentTokens, int times, int nameChars, String sizes) throws Exception {
        Random random = new Random(7);
        long bytes = 0;
        int segments = 0;
        for (String size : sizes.split(" ", -1)) {
            Compaction.Result result = Compaction.flush(
                    generations(Long.parseLong(size), documentTokens, times, nameChars, random),
                    Generations.LANE,
                    folder.resolve("in" + segments++));
            SegmentSummary summary = result.summary();
            bytes += Compaction.heapBytes(
                    summary.textTokens(),
                    summary.documents(),
                    SidecarSize.of(result.files().sidecar()));
        }
        assertThat(merge(bytes + BESIDE_BYTES)).as("with %d bytes", bytes).contains("tokens");
        assertThat(merge(bytes / 3))
                .as("the estimate is no more than three times what it takes")
                .contains("OutOfMemoryError");
    }

    private String merge(long heapBytes) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heapBytes,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Merging.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(said);
    }

    /** Documents that share stretches with earlier ones, as answers do. */
    private static List<Compaction.Input> generations(
            long tokens, int documentTokens, int times, int nameChars, Random random) {
        List<Compaction.Input> generations = new ArrayList<>();
        List<int[]> recent = new ArrayList<>();
        long made = 0;
        while (made < tokens) {
            int[] document = new int[1 + random.nextInt(2 * documentTokens)];
            int[] other = recent.isEmpty() ? document : recent.get(random.nextInt(recent.size()));
            boolean follows = random.nextInt(3) > 0;
            for (int i = 0; i < document.length; i++) {
                boolean shared = follows && i < other.length && random.nextInt(20) > 0;
                document[i] = shared ? other[i] : (int) Math.pow(VOCABULARY, random.nextDouble());
            }
            recent.add(document);
            if (recent.size() > RECENT) {
                recent.remove(0);
            }
            for (int i = 0; i < times; i++) {
                generations.add(signed(generations.size(), name(nameChars, random), document, random));
            }
            made += document.length;
        }
        return generations;
    }

    /** Of more than one character another one each time. */
    private static String name(int chars, Random random) {
        return chars == 1 ? "p" : ("%0" + chars + "d").formatted(random.nextInt(100_000_000));
    }

    private static Compaction.Input signed(long completedAtMillis, String producer, int[] document, Random random) {
        int[] prompt = random.ints(60, 0, VOCABULARY).toArray();
        return new Compaction.Input(
                new GenerationEntry(1, completedAtMillis, producer, completedAtMillis),
                RememberedAnswer.of(prompt, 0, document));
    }

    /** Merges all that lies in a folder. */
    static final class Merging {
        private Merging() {}

        /** The folder. */
        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            List<Compaction.Files> inputs = new ArrayList<>();
            for (int i = 0; Files.isDirectory(folder.resolve("in" + i)); i++) {
                inputs.add(new Compaction.Files(
                        only(folder.resolve("in" + i), Publication.SEGMENT_SUFFIX),
                        only(folder.resolve("in" + i), Publication.SIDECAR_SUFFIX)));
            }
            Compaction.Result merged =
                    Compaction.merge(inputs, Retention.everything(), Generations.LANE, folder.resolve("out"));
            System.out.println(merged.summary().liveTokens() + " tokens");
        }

        private static Path only(Path folder, String suffix) throws IOException {
            try (var files = Files.list(folder)) {
                return files.filter(file -> file.toString().endsWith(suffix))
                        .findFirst()
                        .orElseThrow();
            }
        }
    }
}
