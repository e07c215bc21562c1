package io.tailrace.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.lab.experiment.Trial.Finished;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
    private static final List<Integer> BUDGETS = List.of(4, 8);
    private static final StrategyChoice ADAPTIVE = StrategyChoice.parse("adaptive");

    @TempDir
    Path folder;

    @Test
    void everyWorkloadVariantAndBudgetHasItsFigureAndThePoolIsOverAll() throws Exception {
        Trials trials = trials(stream("a", 20, 1), stream("b", 20, 2));
        List<Finished> finished = run(trials.silos(), TrialStore.open(null, "c"));
        assertThat(finished).hasSize(7 * 2 * 2);
        List<ResultPage.Table> tables = new Comparison(finished).byStrategy(Comparison.TOKENS);
        assertThat(tables).hasSize(2);
        assertThat(tables.get(0).heads())
                .containsExactly("workload", "1", "2 shared", "2 silos", "4 shared", "4 silos", "8 shared", "8 silos");
        assertThat(tables.get(0).rows())
                .extracting(row -> row.get(0))
                .containsExactly("a", "b", "**pooled**", "pooled, without repeats");
        assertThat(tables.get(0).markdown()).contains("| a | ").contains("|---|---:|");
    }

    @Test
    void aBrokenOffExperimentGoesOnWhereItStopped() throws Exception {
        Path file = folder.resolve("results.jsonl");
        Trials trials = trials(stream("a", 20, 1));
        List<Trial> all = trials.freshness();
        List<Finished> first = run(all.subList(0, 3), TrialStore.open(file, "c1"));
        Files.writeString(file, "{\"commit\":\"c1\",\"tri", StandardOpenOption.APPEND);
        TrialStore.Suite again = new TrialStore.Suite(all, TrialStore.open(file, "c1"));
        assertThat(again.found()).isEqualTo(3);
        List<Finished> second = again.run(1);
        assertThat(second).hasSize(all.size());
        for (int i = 0; i < 3; i++) {
            assertThat(second.get(i).result().pooled().accepted())
                    .isEqualTo(first.get(i).result().pooled().accepted());
            assertThat(second.get(i).result().pooled().steps())
                    .isEqualTo(first.get(i).result().pooled().steps());
            assertThat(second.get(i).result().requestSteps())
                    .isEqualTo(first.get(i).result().requestSteps());
        }
    }

    @Test
    void aVariantHasNoDraftTimeIfOneOfItsReplaysWasDoneBefore() throws Exception {
        Path file = folder.resolve("results.jsonl");
        List<Trial> all = trials(stream("a", 20, 1), stream("b", 20, 2)).freshness();
        run(all.subList(0, 1), TrialStore.open(file, "c1"));
        ResultPage.Table times = new Comparison(run(all, TrialStore.open(file, "c1"))).draftTimes();
        assertThat(times.heads()).containsExactly("variant", "adaptive, budget 4", "adaptive, budget 8");
        assertThat(times.rows()).extracting(row -> row.get(0)).contains("every 1", "every 512");
        assertThat(times.rows().stream().flatMap(List::stream).filter("-"::equals))
                .hasSize(1);
        assertThat(times.rows().get(0)).contains("-");
    }

    @Test
    void resultsOfAnotherCommitOrOfChangedCodeAreNotTaken() throws Exception {
        Path file = folder.resolve("results.jsonl");
        List<Trial> trials = trials(stream("a", 20, 1)).strategyTrials(StrategyChoice::text);
        run(trials, TrialStore.open(file, "c1"));
        run(trials, TrialStore.open(file, "c2-dirty"));
        assertThat(TrialStore.open(file, "c1").find(trials.get(0))).isPresent();
        assertThat(TrialStore.open(file, "c3").find(trials.get(0))).isEmpty();
        assertThat(TrialStore.open(file, "c2-dirty").find(trials.get(0))).isEmpty();
        List<Trial> others = trials(stream("a", 20, 2)).strategyTrials(StrategyChoice::text);
        assertThat(TrialStore.open(file, "c1").find(others.get(0))).isEmpty();
    }

    @Test
    void indexSizesThatAStreamDoesNotHaveAreLeftOutOfThePool() throws Exception {
        Trials trials = trials(stream("short", 300, 2), stream("long", 1100, 1), stream("tiny", 100, 3));
        List<Trial> sizes = trials.indexSizes(20);
        assertThat(sizes)
                .extracting(trial -> trial.run().stream().cases().size())
                .containsOnly(20);
        List<Finished> finished =
                run(sizes.stream().filter(t -> t.run().budget() == 4).toList(), TrialStore.open(null, ""));
        List<ResultPage.Table> tables = new Comparison(finished).byStrategy(Comparison.ACCEPTED);
        assertThat(tables.get(0).heads()).containsExactly("workload", "256", "512", "1024", "all", "all workloads");
        assertThat(tables.get(0).rows())
                .extracting(row -> row.get(0))
                .containsExactly(
                        "short",
                        "long",
                        "**pooled, workloads with every column**",
                        "pooled, workloads with every column, without repeats");
        assertThat(tables.get(0).rows().get(0)).contains("-");
    }

    @Test
    void aShiftIsFoundAndItsWindowsCountFromIt() throws Exception {
        List<ReplayCase> cases = new ArrayList<>(stream("chat", 80, 1).cases());
        cases.addAll(stream("sql", 120, 2).cases());
        ShiftTrials shift = ShiftTrials.of(new ReplayStream("s", cases), 40, 1000);
        List<Trial> trials = shift.trials(new float[0], List.of(ADAPTIVE), List.of(8));
        assertThat(trials).hasSize(6);
        assertThat(trials)
                .allSatisfy(trial -> assertThat(trial.run().stream().cases()).hasSize(100));
        List<ResultPage.Table> tables = shift.tables(run(trials, TrialStore.open(null, "")));
        assertThat(tables).singleElement().satisfies(table -> {
            assertThat(table.heads()).containsExactly("variant", "last 40 before", "1 to 50 after", "51 to 60 after");
            assertThat(table.rows()).hasSize(6);
        });
        assertThatThrownBy(() -> ShiftTrials.of(stream("chat", 10, 1), 5, 5)).hasMessageContaining("once; all is chat");
        cases.addAll(stream("chat", 3, 3).cases());
        assertThatThrownBy(() -> ShiftTrials.of(new ReplayStream("s", cases), 5, 5))
                .hasMessageContaining("changes again at request 201, to chat");
    }

    @Test
    void sourcesAreMeasuredAloneAndTogether() throws Exception {
        List<Finished> finished = run(trials(stream("a", 30, 1)).sources(), TrialStore.open(null, ""));
        List<ResultPage.Table> tables = new Comparison(finished).byStrategy(Comparison.ACCEPTED);
        assertThat(tables.get(0).heads()).containsExactly("workload", "own context only", "shared only", "both");
        double own = Double.parseDouble(tables.get(0).rows().get(0).get(1));
        double both = Double.parseDouble(
                tables.get(0).rows().get(0).get(tables.get(0).heads().size() - 1));
        assertThat(own).isLessThan(both);
    }

    private static List<Finished> run(List<Trial> trials, TrialStore store) throws InterruptedException {
        return new TrialStore.Suite(trials, store).run(2);
    }

    private static Trials trials(ReplayStream... streams) {
        List<float[]> weights = new ArrayList<>();
        for (int i = 0; i < streams.length; i++) {
            weights.add(new float[0]);
        }
        return new Trials(List.of(streams), weights, List.of(ADAPTIVE), BUDGETS);
    }

    /** Requests that share most of their responses. */
    private static ReplayStream stream(String workload, int requests, long seed) {
        Random random = new Random(seed);
        int[] common = random.ints(12, 0, 500).toArray();
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            int[] response = common.clone();
            response[random.nextInt(common.length)] = random.nextInt(500);
            cases.add(new ReplayCase(workload, "s", random.ints(4, 0, 500).toArray(), response, false));
        }
        return new ReplayStream(workload, cases);
    }
}
