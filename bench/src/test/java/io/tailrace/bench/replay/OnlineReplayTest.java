package io.tailrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OnlineReplayTest {
    @Test
    void everyResponseTokenOfTheSecondHalfIsCountedOnce() {
        List<ReplayCase> cases = randomCases(40, 20);
        ReplayResult result = new OnlineReplay(cases).run(drafter(), 8);
        assertThat(result.tokens()).isEqualTo(20 * 20);
        assertThat(result.steps() + result.accepted()).isBetween(result.tokens(), result.tokens() + 20);
        assertThat(result.drafted()).isGreaterThanOrEqualTo(result.accepted());
    }

    @Test
    void aResponseSeenBeforeIsAcceptedNearlyWhole() {
        int[] response = new Random(3).ints(200, 0, 1000).toArray();
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            cases.add(new ReplayCase(new int[] {5000 + i}, response));
        }
        assertThat(new OnlineReplay(cases).run(drafter(), 16).tokensPerStep()).isGreaterThan(10);
    }

    @Test
    void withoutABudgetEachStepGivesOneToken() {
        ReplayResult result = new OnlineReplay(randomCases(6, 10)).run(drafter(), 0);
        assertThat(result.steps()).isEqualTo(30);
        assertThat(result.accepted()).isZero();
    }

    @Test
    void aRequestWithoutAPromptStartsWithItsFirstToken() {
        List<ReplayCase> cases = List.of(
                new ReplayCase(new int[0], new int[] {1, 2, 3}), new ReplayCase(new int[0], new int[] {1, 2, 3}));
        ReplayResult result = new OnlineReplay(cases).run(drafter(), 8);
        assertThat(result.tokens()).isEqualTo(2);
        assertThat(result.accepted()).isEqualTo(2);
    }

    @Test
    void theSameRunGivesTheSameFigures() {
        List<ReplayCase> cases = randomCases(60, 30);
        ReplayResult first = new OnlineReplay(cases).run(drafter(), 16);
        ReplayResult second = new OnlineReplay(cases).run(drafter(), 16);
        assertThat(second.accepted()).isEqualTo(first.accepted());
        assertThat(second.drafted()).isEqualTo(first.drafted());
    }

    @Test
    void theLaneHoldsEveryResponseInAtMostFiveParts() {
        ReplayLane lane = new ReplayLane();
        for (int i = 0; i < 1000; i++) {
            lane.add(new int[] {i, i + 1, i + 2});
        }
        assertThat(lane.index().older()).hasSizeLessThanOrEqualTo(3);
        assertThat(lane.index().newest()).isNotNull();
        assertThat(lane.index().fresh()).isNotNull();
    }

    @Test
    void quantilesAreWithinABucket() {
        Durations durations = new Durations();
        for (int i = 1; i <= 1000; i++) {
            durations.add(i * 1000L);
        }
        assertThat(durations.quantile(0.5)).isBetween(450_000.0, 550_000.0);
        assertThat(durations.quantile(0.99)).isBetween(890_000.0, 1_100_000.0);
        assertThat(new Durations().quantile(0.5)).isZero();
    }

    private static AdaptiveDrafter drafter() {
        return new AdaptiveDrafter(
                Mixer.defaults(), new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0.003f, 0, new float[0]));
    }

    private static List<ReplayCase> randomCases(int requests, int tokens) {
        Random random = new Random(requests);
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            cases.add(new ReplayCase(
                    random.ints(5, 0, 6).toArray(), random.ints(tokens, 0, 6).toArray()));
        }
        return cases;
    }
}
