package io.tailrace.lab.replay.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GainVerdictTest {
    /** Nine tokens take one and a half times as long as one. */
    private static final CostProfile PROFILE = new CostProfile("mine", 30_000, 4, AssumedCost.parse("1:1,9:1.5"));

    @ParameterizedTest
    @CsvSource({
        "100, Little to gain: 1.00 tokens a step",
        "170, A small gain: 1.70 tokens a step",
        "300, Worth trying: 3.00 tokens a step"
    })
    void theSentenceGoesByTheEstimateAndNotByTokensAStepAlone(long tokens, String sentence) {
        GainVerdict verdict = GainVerdict.of(List.of(row(8, tokens, 100)), PROFILE);
        assertThat(verdict.sentence()).startsWith(sentence);
        assertThat(verdict.next()).isNotEmpty();
    }

    @Test
    void theBudgetWithTheBestEstimateCounts() {
        GainVerdict verdict = GainVerdict.of(List.of(row(8, 300, 100), row(0, 250, 100)), PROFILE);
        assertThat(verdict.row().budget()).isZero();
    }

    @Test
    void timesAndHoursFollowFromTheProfile() {
        ReplayTally tally = row(8, 300, 100).all(); // speed-up 3 / 1.5
        assertThat(PROFILE.millis(tally)).isCloseTo(15, within(1e-9));
        assertThat(PROFILE.plainHours()).isCloseTo(1e6 * 0.030 / 4 / 3600, within(1e-9));
        assertThat(PROFILE.savedHours(tally)).isCloseTo(PROFILE.plainHours() / 2, within(1e-9));
        assertThat(PROFILE.assumptions())
                .isEqualTo(
                        "a step of one token takes 30.0 ms, 4 requests share it, and verifying 8 more tokens makes it 1.50 times as long");
    }

    @Test
    void fewRequestsAreCalledFew() {
        assertThat(GainVerdict.of(List.of(row(8, 300, 100)), PROFILE).next().get(0))
                .startsWith("Replay more: 100 requests");
    }

    /** A request a step, each with a draft of the budget's size. */
    private static ReplayRow row(int budget, long tokens, long steps) {
        long[] drafted = new long[budget + 1];
        drafted[budget] = steps;
        ReplayTally tally = ReplayTally.restored(steps, tokens, tokens - steps, drafted);
        return new ReplayRow(ReplayRow.POOLED, StrategyChoice.parse("adaptive"), budget, tally, new ReplayTally());
    }
}
