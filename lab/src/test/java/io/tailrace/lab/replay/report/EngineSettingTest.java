package io.tailrace.lab.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(setting.notes()).anyMatch(note -> note.startsWith("transformers and llama-cpp-python can draft so"));
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
        assertThat(setting("adaptive", 8, 8).inShort()).get().asString().contains("adaptive:tree=false");
        assertThat(setting("adaptive:tree=false", 8, 8).notes()).noneMatch(note -> note.contains("tree=false"));
        assertThat(setting("adaptive:tree=false", 8, 8).inShort()).isEmpty();
    }

    @Test
    void besideVllmsLineStandsWhatOneLineOfTokensGives() {
        EngineSetting setting = new EngineSetting(
                verdict("adaptive", 8, 3), Optional.of(verdict("adaptive:tree=false", 8, 2.5)), List.of(8), Set.of());
        assertThat(setting.lines().get(0).engine())
                .contains("verifies one line of tokens: 2.50 tokens a step in place of 1");
        assertThat(setting.inShort()).get().asString().contains("2.50 tokens a step in place of 1");
        assertThat(setting.notes()).noneMatch(note -> note.contains("tree=false"));
    }

    @Test
    void forSglangThereIsNothingToPasteButWaysToGo() {
        EngineSetting setting =
                new EngineSetting(verdict("adaptive", 8, 3), Optional.empty(), List.of(8), Set.of("sglang"));
        assertThat(setting.without())
                .get()
                .asString()
                .contains("no door for SGLang", "Publish what any server answers", "vLLM in ten minutes");
        assertThat(setting.lines())
                .extracting(EngineSetting.Line::text)
                .containsExactly("tailrace worker --model FOLDER --budget 8");
        assertThat(setting.inShort()).isEmpty();
    }

    @Test
    void besideAnotherLogSglangsIsNamedAndVllmHasItsLine() {
        EngineSetting setting =
                new EngineSetting(verdict("adaptive", 8, 3), Optional.empty(), List.of(8), Set.of("sglang", "openai"));
        assertThat(setting.without()).isPresent();
        assertThat(setting.lines()).hasSize(2);
        assertThat(setting("adaptive", 8, 8).without()).isEmpty();
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
                        "Drafting nothing does best beside the budgets that were replayed (0, 8): leave drafting"
                                + " off.");
    }

    @Test
    void whereNoBudgetPaysThereIsNothingToPaste() {
        EngineSetting setting =
                new EngineSetting(verdict("adaptive", 8, 0.9), Optional.empty(), List.of(8, 16), Set.of());
        assertThat(setting.lines()).isEmpty();
        assertThat(setting.notes()).first().asString().contains("(8, 16): leave drafting off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive:tree=false", "suffix-decoding"})
    void onlyTheDefaultsTreesAreReplayedAsLines(String strategy) {
        assertThat(LineDrafts.draftsTrees(StrategyChoice.parse(strategy))).isFalse();
        assertThat(LineDrafts.draftsTrees(StrategyChoice.parse("adaptive:tree=true")))
                .isTrue();
    }

    private static EngineSetting setting(String strategy, int budget, Integer... budgets) {
        return new EngineSetting(verdict(strategy, budget, 3), Optional.empty(), List.of(budgets), Set.of("openai"));
    }

    /** So many tokens a step, where drafts cost nothing. */
    private static GainVerdict verdict(String strategy, int budget, double tokens) {
        ReplayTally tally = ReplayTally.restored(1_000, (long) (1_000 * tokens), 0, new long[] {1_000});
        ReplayRow row =
                new ReplayRow(ReplayRow.POOLED, StrategyChoice.parse(strategy), budget, tally, new ReplayTally());
        return new GainVerdict(row, new CostProfile("free", 1, AssumedCost.parse("1:1")));
    }
}
