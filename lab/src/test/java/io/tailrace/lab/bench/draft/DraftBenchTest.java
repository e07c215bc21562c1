package io.tailrace.lab.bench.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.strategy.StrategyChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DraftBenchTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "suffix-decoding", "sam-decoding:bias=0:tree=true"})
    void everyBudgetGetsEveryFigure(String strategy) throws IOException {
        writeRequests("a", 400, 1);
        writeRequests("b", 200, 2);
        DraftBench.Options options =
                new DraftBench.Options(10_000, folder, 1000, List.of(4, 8), StrategyChoice.parse(strategy), 3);
        DraftBench.Report report = DraftBench.run(options, line -> {});
        assertThat(report.requests()).isEqualTo(12);
        assertThat(report.rows())
                .filteredOn(
                        row -> List.of("draftP50", "firstDraftP50", "inTurnP50").contains(row.what()))
                .hasSize(6)
                .allSatisfy(row -> assertThat(row.value()).isPositive());
        assertThat(report.rows()).allSatisfy(row -> assertThat(row.value()).isNotNegative());
        assertThat(report.rows())
                .filteredOn(row -> row.what().equals("prepareP50"))
                .hasSize(2);
        assertThat(report.rows())
                .filteredOn(row -> row.what().equals("acceptedPerStep"))
                .allSatisfy(row -> assertThat(row.value()).isPositive());
    }

    @Test
    void workloadsRunSideBySide() throws IOException {
        writeRequests("a", 100, 1);
        writeRequests("b", 50, 2);
        MixedTraffic traffic = MixedTraffic.read(folder, 1000);
        assertThat(traffic.heldBack()).hasSize(3);
        assertThat(traffic.answers()).hasSize(147);
        List<Integer> firsts =
                traffic.answers().stream().map(answer -> answer.tokens()[0]).toList();
        assertThat(firsts.subList(0, 60)).contains(1, 2);
        assertThat(firsts.subList(90, 147)).contains(1, 2);
    }

    @Test
    void theLayoutIsOneNewestAndThreeOlderThatCoverTheLaneOnce() {
        int[] lengths = new Random(5).ints(40_000, 1, 300).toArray();
        LaneGrowth layout = LaneGrowth.grow(lengths, 4_000_000);
        assertThat(layout.ends()).hasSize(4).isSorted();
        long tokens = Arrays.stream(lengths, 0, layout.generations()).sum();
        assertThat(tokens).isBetween(4_000_000L, 4_400_000L);
    }

    private void writeRequests(String name, int count, int first) throws IOException {
        Random random = new Random(count);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String response = random.ints(40, 3, 9).mapToObj(Integer::toString).collect(Collectors.joining(","));
            lines.add("{\"id\":\"%s%d\",\"prompt\":[1,2],\"response\":[%d,%s]}".formatted(name, i, first, response));
        }
        Files.write(folder.resolve(name + ".jsonl"), lines);
    }
}
