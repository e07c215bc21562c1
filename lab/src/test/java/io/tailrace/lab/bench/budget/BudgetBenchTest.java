package io.tailrace.lab.bench.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.lab.bench.budget.BudgetBench.Run;
import io.tailrace.lab.bench.budget.BudgetBench.StepCost;
import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.lab.recorded.RecordedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetBenchTest {
    private static final int ANSWER = 40;
    private static final int REQUESTS = 60;

    @TempDir
    private Path folder;

    /** Ten answers that come again and again; and others that nobody has heard. */
    private List<RecordedRequest> requests(double repeated) throws IOException {
        Random random = new Random(5);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long answer = random.nextDouble() < repeated ? random.nextInt(10) : 1_000 + i;
            String said = new Random(answer)
                    .ints(ANSWER, 0, 5_000)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(","));
            lines.add("{\"id\":\"%d\",\"prompt\":[%d],\"response\":[%s]}".formatted(i, i, said));
        }
        Path file = Files.write(folder.resolve("requests-" + repeated + ".jsonl"), lines);
        List<RecordedRequest> read = new ArrayList<>();
        try (RecordedInput in =
                RecordedInput.strict(List.of(file), RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED))) {
            in.forEachRemaining(read::add);
        }
        return read;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void timeIsThatOfStepsAndOfTheTokensTheyCompute(int batch) throws IOException {
        List<RecordedRequest> requests = requests(0.9);
        StepCost cost = new StepCost(10_000_000, 500_000);
        Run run = new BudgetBench(cost, 0.3, 16, batch)
                .run(requests.subList(0, 20), requests.subList(20, REQUESTS), BudgetChoice::measured);
        assertThat(run.tokens()).isEqualTo(40L * ANSWER);
        assertThat(run.requestSteps()).isBetween(200L, run.tokens() - 1);
        assertThat(run.steps()).isBetween(run.requestSteps() / batch, 3 * run.requestSteps() / batch);
        assertThat(run.nanos())
                .isEqualTo(run.steps() * cost.baseNanos() + (run.requestSteps() + run.drafted()) * cost.rowNanos());
    }

    /** What a fleet announces of step times must not make it slower than one that has to find them out. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void aFleetIsAsFastAsOneAlone(int batch) throws IOException {
        List<RecordedRequest> requests = requests(0.9);
        List<RecordedRequest> known = requests.subList(0, 20);
        List<RecordedRequest> asked = requests.subList(20, REQUESTS);
        BudgetBench bench = new BudgetBench(new StepCost(8_000_000, 450_000), 0.15, 16, batch);
        double alone = bench.run(known, asked, BudgetChoice::measured).nanos();
        double fleet = bench.runReporting(known, asked, BudgetChoice::measured).nanos();
        assertThat(fleet).isLessThan(1.05 * alone);
    }

    @Test
    void nothingIsDraftedForLongWhereNothingRepeats() throws IOException {
        List<RecordedRequest> requests = requests(0);
        Run run = new BudgetBench(new StepCost(2_000_000, 600_000), 0.12, 16, 1)
                .run(List.of(), requests, BudgetChoice::measured);
        assertThat(run.tokensPerStep()).isLessThan(1.01);
        assertThat(run.draftedPerStep()).isLessThan(0.1);
    }

    @Test
    void tokensThatCostNothingAreAllDrafted() throws IOException {
        List<RecordedRequest> requests = requests(0.9);
        List<RecordedRequest> asked = requests.subList(20, REQUESTS);
        BudgetBench free = new BudgetBench(new StepCost(10_000_000, 1), 0, 16, 1);
        BudgetBench dear = new BudgetBench(new StepCost(100_000, 10_000_000), 0, 16, 1);
        double freely =
                free.run(requests.subList(0, 20), asked, BudgetChoice::measured).draftedPerStep();
        double dearly =
                dear.run(requests.subList(0, 20), asked, BudgetChoice::measured).draftedPerStep();
        assertThat(freely).isGreaterThan(4 * dearly);
    }
}
