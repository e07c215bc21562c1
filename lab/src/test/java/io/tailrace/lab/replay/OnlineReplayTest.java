package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.replay.ReplayProtocol.Counting;
import io.tailrace.lab.replay.ReplayProtocol.Sharing;
import io.tailrace.lab.replay.ReplayProtocol.Sources;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OnlineReplayTest {
    private static final int[] ANSWER = new Random(3).ints(200, 0, 1000).toArray();
    private static final ReplayProtocol ALL = ReplayProtocol.online().counting(Counting.ALL);

    @Test
    void everyResponseTokenOfTheSecondHalfIsCountedOnce() {
        ReplayTally result = run(Requests.random("w", 40, 20, 1), ReplayProtocol.online(), 8);
        assertThat(result.requests()).isEqualTo(20);
        assertThat(result.tokens()).isEqualTo(20 * 20);
        assertThat(result.steps() + result.accepted()).isBetween(result.tokens(), result.tokens() + 20);
        assertThat(result.drafted()).isGreaterThanOrEqualTo(result.accepted());
    }

    @Test
    void aResponseSeenBeforeIsAcceptedNearlyWhole() {
        assertThat(run(same(4, "s"), ALL, 16).tokensPerStep()).isGreaterThan(3);
        assertThat(run(same(4, "s"), ReplayProtocol.online(), 16).tokensPerStep())
                .isGreaterThan(10);
    }

    @Test
    void withoutABudgetEachStepGivesOneToken() {
        ReplayTally result = run(Requests.random("w", 6, 10, 1), ReplayProtocol.online(), 0);
        assertThat(result.steps()).isEqualTo(30);
        assertThat(result.accepted()).isZero();
    }

    @Test
    void aRequestWithoutAPromptStartsWithItsFirstToken() {
        ReplayCase bare = Requests.request("w", "s", new int[0], new int[] {1, 2, 3});
        ReplayTally result = run(new ReplayStream("bare", List.of(bare, bare)), ReplayProtocol.online(), 8);
        assertThat(result.tokens()).isEqualTo(2);
        assertThat(result.accepted()).isEqualTo(2);
    }

    @Test
    void exactRepeatsAreLeftOutOnTheSide() {
        ReplayResult result = replay(same(4, "s"), ALL, 16);
        assertThat(result.byWorkload().get("w").requests()).isEqualTo(4);
        assertThat(result.withoutRepeats().get("w").requests()).isEqualTo(1);
        assertThat(result.withoutRepeats().get("w").steps()).isEqualTo(result.requestSteps()[0]);
    }

    @Test
    void scopesDoNotDraftFromEachOther() {
        List<ReplayCase> cases = new ArrayList<>(same(1, "a").cases());
        cases.addAll(same(1, "b").cases());
        ReplayStream apart = new ReplayStream("two", cases);
        assertThat(steps(apart, ALL)).containsExactly(ANSWER.length, ANSWER.length);
        assertThat(steps(apart.inOneScope(), ALL)[1]).isLessThan(ANSWER.length / 4);
    }

    @Test
    void aResponseIsFoundOnlyAfterItsLag() {
        int[] steps = steps(same(5, "s"), ALL.delayed(1, 2));
        assertThat(steps[1]).isEqualTo(ANSWER.length);
        assertThat(steps[2]).isEqualTo(ANSWER.length);
        assertThat(steps[3]).isLessThan(ANSWER.length / 4);
    }

    @Test
    void aResponseIsFoundOnlyAfterItsFlush() {
        int[] steps = steps(same(5, "s"), ALL.delayed(3, 0));
        assertThat(steps[2]).isEqualTo(ANSWER.length);
        assertThat(steps[3]).isLessThan(ANSWER.length / 4);
    }

    @Test
    void aSiloKnowsItsOwnResponsesOnly() {
        int[] silo = steps(same(4, "s"), ALL.dealt(2, Sharing.SILO));
        assertThat(silo[1]).isEqualTo(ANSWER.length);
        assertThat(silo[2]).isLessThan(ANSWER.length / 4);
        int[] shared = steps(same(4, "s"), ALL.dealt(2, Sharing.SHARED));
        assertThat(shared[1]).isLessThan(ANSWER.length / 4);
    }

    @Test
    void aWorkerFindsItsOwnResponsesAtOnceAndThoseOfOthersLate() {
        int[] steps = steps(same(6, "s"), ALL.dealt(2, Sharing.SHARED).delayed(1, 3));
        assertThat(steps[1]).isEqualTo(ANSWER.length);
        assertThat(steps[2]).isLessThan(ANSWER.length / 4);
        assertThat(steps[3]).isLessThan(ANSWER.length / 4);
    }

    @Test
    void warmResponsesAreThereFromTheStartButNotForTheOwnContextAlone() {
        ReplayProtocol warm = ALL.warmed(List.of(RememberedAnswer.of(ANSWER)));
        assertThat(steps(same(1, "s"), warm)[0]).isLessThan(ANSWER.length / 4);
        assertThat(steps(same(1, "s"), warm.from(Sources.OWN))[0]).isEqualTo(ANSWER.length);
    }

    @Test
    void theSameRunsGiveTheSameFiguresHoweverManyRunTogether() throws InterruptedException {
        List<ReplayRun> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ReplayStream stream = Requests.random("w" + i % 3, 30, 30, i % 3);
            runs.add(new ReplayRun(stream, StrategyChoice.parse("adaptive"), new float[0], 16, ALL));
        }
        List<ReplayRow> alone = ReplayRow.of(new ReplaySuite(runs).run(1));
        List<ReplayRow> together = ReplayRow.of(new ReplaySuite(runs).run(3));
        assertThat(alone).hasSize(3);
        for (int i = 0; i < alone.size(); i++) {
            assertThat(together.get(i).workload()).isEqualTo(alone.get(i).workload());
            assertThat(together.get(i).all().accepted())
                    .isEqualTo(alone.get(i).all().accepted());
            assertThat(together.get(i).all().drafted())
                    .isEqualTo(alone.get(i).all().drafted());
        }
        long steps = alone.stream().mapToLong(row -> row.all().steps()).sum();
        assertThat(ReplayRow.pooled(alone))
                .singleElement()
                .satisfies(row -> assertThat(row.all().steps()).isEqualTo(steps));
    }

    @Test
    void theLaneHoldsEveryResponseInAtMostFiveParts() {
        ReplayLane lane = new ReplayLane();
        for (int i = 0; i < 1000; i++) {
            lane.add(RememberedAnswer.of(new int[] {i, i + 1, i + 2}));
        }
        assertThat(lane.index().older()).hasSizeLessThanOrEqualTo(3);
        assertThat(lane.index().newest()).isNotNull();
        assertThat(lane.index().fresh()).isNotNull();
    }

    private static ReplayStream same(int requests, String scope) {
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            cases.add(Requests.request("w", scope, new int[] {5000 + i}, ANSWER));
        }
        return new ReplayStream("same", cases);
    }

    private static int[] steps(ReplayStream stream, ReplayProtocol protocol) {
        return replay(stream, protocol, 16).requestSteps();
    }

    private static ReplayTally run(ReplayStream stream, ReplayProtocol protocol, int budget) {
        return replay(stream, protocol, budget).pooled();
    }

    private static ReplayResult replay(ReplayStream stream, ReplayProtocol protocol, int budget) {
        StrategyChoice adaptive = StrategyChoice.parse("adaptive");
        return new OnlineReplay(stream, protocol).run(() -> adaptive.drafter(new float[0]), budget, tokens -> {});
    }
}
