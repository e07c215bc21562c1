package io.tailrace.lab.bench.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.order.CoLexOrder;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexBenchTest {
    @Test
    void smallRunReportsEveryFigure() throws Exception {
        IndexBench.Report report = IndexBench.run(new IndexBench.Options(20_000, null));
        List<String> names = report.rows().stream().map(IndexBench.Row::what).toList();
        assertThat(names)
                .containsExactly("build", "merge", "open", "nearestP50", "nearestP99", "append", "bytesPerToken");
        assertThat(report.rows()).allSatisfy(row -> assertThat(row.value()).isPositive());
    }

    @Test
    void ofRecordedRequestsItAlsoBuildsWhatIsKeptOfPrompts(@TempDir Path folder) throws Exception {
        Random random = new Random(4);
        try (PrintWriter out = new PrintWriter(
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.jsonl.gz"))), false, UTF_8)) {
            for (int i = 0; i < 300; i++) {
                out.println("{\"id\":\"%d\",\"prompt\":%s,\"response\":%s}"
                        .formatted(i, ids(random, 100), ids(random, 50)));
            }
        }
        List<IndexBench.Row> rows =
                IndexBench.run(new IndexBench.Options(10_000, folder)).rows();
        assertThat(value(rows, "bytesPerAnswerWithPrompts"))
                .as("32 hashes of two bytes, a bit a token")
                .isGreaterThan(value(rows, "bytesPerAnswer") + 64);
        for (String kept : List.of("", "WithPrompts")) {
            assertThat(value(rows, "bytesPerAnswer" + kept) / value(rows, "bytesPerToken" + kept))
                    .as("tokens of an answer, not of what is kept of its prompt")
                    .isCloseTo(50, within(1e-6));
        }
        assertThat(value(rows, "buildWithPrompts")).isPositive();
        assertThat(value(rows, "mergeWithPrompts")).isPositive();
    }

    private static String ids(Random random, int count) {
        return Arrays.toString(random.ints(count, 0, 5_000).toArray());
    }

    private static double value(List<IndexBench.Row> rows, String what) {
        return rows.stream()
                .filter(row -> row.what().equals(what))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void bothWaysToSortAgree() {
        int[] text = Corpus.synthetic(30_000, 5).documents().stream()
                .flatMapToInt(document -> IntStream.concat(Arrays.stream(document), IntStream.of(-1)))
                .toArray();
        assertThat(InducedSort.order(text))
                .isEqualTo(CoLexOrder.of(text, text.length).order());
    }
}
