package io.tailrace.lab.bench.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
                .filteredOn(row -> List.of("draftP50", "firstDraftP50", "inTurnP50", "inTurnFirstDraftP50", "randomP50")
                        .contains(row.what()))
                .hasSize(10)
                .allSatisfy(row -> assertThat(row.value()).isPositive());
        assertThat(report.rows()).allSatisfy(row -> assertThat(row.value()).isNotNegative());
        assertThat(report.rows())
                .filteredOn(row -> row.what().matches(".*(Draft|Prepare|prepare|random)P99"))
                .hasSize(2 * 6);
        assertThat(report.rows())
                .filteredOn(row -> row.what().equals("acceptedPerStep"))
                .allSatisfy(row -> assertThat(row.value()).isPositive());
    }

    @Test
    void placesAtRandomAreOfAllRequestsAndInNoOrder() {
        List<ReplayCase> requests =
                List.of(request(1, 40), ReplayCase.of(new int[0], numbers(200, 30)), request(300, 50));
        ContextsDrafter drafter = new ContextsDrafter();
        DraftPass pass = new DraftPass(requests, LaneIndex.EMPTY, 4).timeAtRandom(drafter, new Random(7));
        assertThat(pass.steps()).isEqualTo(DraftPass.RANDOM_PLACES);
        assertThat(pass.drafts().count()).isEqualTo(DraftPass.RANDOM_PLACES);
        assertThat(pass.prepared().count()).isEqualTo(DraftPass.RANDOM_PLACES);
        Set<List<Integer>> places = new HashSet<>(drafter.contexts);
        assertThat(places).hasSize(40 + 29 + 50);
        assertThat(places)
                .allSatisfy(place -> assertThat(requests)
                        .anySatisfy(request -> assertThat(text(request)).startsWith(place.toArray(Integer[]::new))));
        assertThat(IntStream.range(1, drafter.contexts.size())
                        .filter(i -> drafter.contexts.get(i).size()
                                == drafter.contexts.get(i - 1).size() + 1)
                        .count())
                .isLessThan(DraftPass.RANDOM_PLACES / 10);
    }

    private static ReplayCase request(int first, int tokens) {
        return ReplayCase.of(numbers(first, 3), numbers(first + 3, tokens));
    }

    private static int[] numbers(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }

    private static List<Integer> text(ReplayCase request) {
        return IntStream.concat(Arrays.stream(request.prompt()), Arrays.stream(request.response()))
                .boxed()
                .toList();
    }

    /** Remembers the contexts it was to draft from, and drafts nothing. */
    private static final class ContextsDrafter implements Drafter {
        private final List<List<Integer>> contexts = new ArrayList<>();
        private List<Integer> context = List.of();

        @Override
        public void begin(int[] prompt, int length) {
            context = new ArrayList<>();
            verified(prompt, length);
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            contexts.add(List.copyOf(context));
            return new DraftTree();
        }

        @Override
        public void verified(int[] tokens, int length) {
            Arrays.stream(tokens, 0, length).forEach(context::add);
        }
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
