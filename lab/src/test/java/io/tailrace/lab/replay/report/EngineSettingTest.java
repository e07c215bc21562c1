package io.tailrace.lab.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineSettingTest {
    @Test
    void theBudgetThatDidBestStandsInTheLinesToPaste() {
        EngineSetting setting = setting("adaptive", 16, 8, 16, 31);
        assertThat(setting.lines())
                .extracting(EngineSetting.Line::text)
                .containsExactly(
                        "TAILRACE_DRAFT_TOKENS=16 vllm serve MODEL --scheduler-cls tailrace.vllm.TailraceScheduler",
                        "tailrace worker --model FOLDER --budget 16");
        assertThat(setting.notes()).first().isEqualTo("Replayed were budgets of 8, 16, 31; 16 has the best estimate.");
    }

    @Test
    void oneBudgetAloneIsCalledOneAndTheLargestIsCalledLargest() {
        assertThat(setting("adaptive", 8, 8).notes())
                .first()
                .asString()
                .contains("Only a budget of 8 was replayed", "--budget 8,16,31");
        assertThat(setting("adaptive", 31, 8, 31).notes()).first().asString().contains("--budget 31,64");
        assertThat(setting("adaptive", 64, 8, 64).notes()).first().asString().doesNotContain("--budget");
    }

    @Test
    void treesAreSaidToBeMoreThanVllmVerifies() {
        assertThat(setting("adaptive", 8, 8).notes()).anyMatch(note -> note.contains("adaptive:tree=false"));
        assertThat(setting("adaptive:tree=false", 8, 8).notes()).noneMatch(note -> note.contains("tree=false"));
    }

    @Test
    void anotherStrategyIsTheWorkersAlone() {
        assertThat(setting("suffix-decoding", 8, 8).lines())
                .extracting(EngineSetting.Line::text)
                .containsExactly("tailrace worker --model FOLDER --budget 8 --strategy suffix-decoding");
    }

    @Test
    void whereNothingDraftedDidBestThereIsNothingToPaste() {
        EngineSetting setting = setting("adaptive", 0, 0, 8);
        assertThat(setting.lines()).isEmpty();
        assertThat(setting.notes())
                .containsExactly(
                        "Drafting nothing did best of the budgets that were replayed (0, 8): leave drafting off.");
    }

    private static EngineSetting setting(String strategy, int budget, Integer... budgets) {
        return new EngineSetting(StrategyChoice.parse(strategy), budget, List.of(budgets));
    }
}
