package io.tailrace.lab.bench.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.order.CoLexOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
    void bothWaysToSortAgree() {
        int[] text = Corpus.synthetic(30_000, 5).documents().stream()
                .flatMapToInt(document -> IntStream.concat(Arrays.stream(document), IntStream.of(-1)))
                .toArray();
        assertThat(InducedSort.order(text))
                .isEqualTo(CoLexOrder.of(text, text.length).order());
    }
}
