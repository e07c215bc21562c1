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
    /** For a request alone nine tokens take 1.2 times as long as one, for four requests 36 take 1.5 times as long as four. */
    private static final CostProfile PROFILE = new CostProfile(
            "mine", 30_000, AssumedCost.parse("1:1,4:1,9:1.2,36:1.5").sharedBy(4));

    @ParameterizedTest
    @CsvSource({
        "300, Little to gain: 1.00 tokens a step",
        "510, A small gain: 1.70 tokens a step",
        "900, Worth trying: 3.00 tokens a step"
    })
    void theSentenceGoesByTheEstimateAndNotByTokensAStepAlone(long tokens, String sentence) {
        GainVerdict verdict = GainVerdict.of(List.of(row(8, tokens, 300)), PROFILE);
        assertThat(verdict.sentence()).startsWith(sentence);
        assertThat(verdict.next()).isNotEmpty();
    }

    @Test
    void theBudgetWithTheBestEstimateCounts() {
        GainVerdict verdict = GainVerdict.of(List.of(row(8, 900, 300), row(0, 750, 300)), PROFILE);
        assertThat(verdict.row().budget()).isZero();
    }

    @Test
    void timesAndHoursFollowFromTheProfile() {
        ReplayTally tally = row(8, 300, 100).all(); // speed-up 3 / 1.5
        assertThat(PROFILE.millis(tally)).isCloseTo(15, within(1e-9));
        assertThat(PROFILE.plainHours()).isCloseTo(1e6 * 0.030 / 4 / 3600, within(1e-9));
        assertThat(PROFILE.savedHours(tally)).isCloseTo(PROFILE.plainHours() / 2, within(1e-9));
    }

    @Test
    void whatIsAssumedIsSaidOfTheWholeStep() {
        assertThat(PROFILE.assumptions(8))
                .isEqualTo(
                        "a step takes 30.0 ms, 4 requests share it, and verifying 8 more tokens for each makes it 1.50"
                                + " times as long");
        assertThat(new CostProfile("mine", 30_000, PROFILE.cost().sharedBy(1)).assumptions(8))
                .isEqualTo(
                        "a step takes 30.0 ms, one request has it to itself, and verifying 8 more tokens makes it 1.20"
                                + " times as long");
    }

    @Test
    void bothEndsAreSaidWhereTheEstimateHangsOnTheBatch() {
        assertThat(GainVerdict.of(List.of(row(8, 900, 300)), PROFILE).sentence())
                .isEqualTo(
                        "Worth trying: 3.00 tokens a step in place of 1, an estimated 2.00 times as fast in steps of 4"
                                + " requests, 2.50 alone.");
        CostProfile flat =
                new CostProfile("mine", 30_000, AssumedCost.parse("1:1").sharedBy(4));
        assertThat(GainVerdict.of(List.of(row(8, 900, 300)), flat).sentence())
                .endsWith("an estimated 3.00 times as fast.");
    }

    @Test
    void aGainThatTheBatchTakesIsNotBlamedOnTheTraffic() {
        GainVerdict verdict = GainVerdict.of(List.of(row(8, 480, 300)), PROFILE);
        assertThat(verdict.sentence())
                .startsWith("Little to gain: 1.60 tokens a step")
                .endsWith(
                        "This traffic repeats itself, but in steps of that many requests drafts cost what they save.");
        assertThat(verdict.next()).first().asString().contains("--budget 1,2,4");
        assertThat(GainVerdict.of(List.of(row(8, 300, 300)), PROFILE).sentence())
                .endsWith("This traffic hardly repeats itself.");
    }

    @Test
    void ofFewRequestsNothingIsPromised() {
        GainVerdict few = GainVerdict.of(List.of(row(8, 897, 299)), PROFILE);
        assertThat(few.sentence())
                .startsWith("Too few to say: 299 requests, and it takes 300. So far 3.00 tokens a step");
        assertThat(few.next())
                .noneMatch(step -> step.contains("let one engine draft"))
                .first()
                .asString()
                .startsWith("Replay more: 299 requests");
    }

    /** A request a step, each with a draft of the budget's size. */
    private static ReplayRow row(int budget, long tokens, long steps) {
        long[] drafted = new long[budget + 1];
        drafted[budget] = steps;
        ReplayTally tally = ReplayTally.restored(steps, tokens, tokens - steps, drafted);
        return new ReplayRow(ReplayRow.POOLED, StrategyChoice.parse("adaptive"), budget, tally, new ReplayTally());
    }
}
