package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.client.budget.SimulatedServing.Curve;
import io.tailrace.client.budget.SimulatedServing.Result;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPrefix;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole requests against simulated step times: drafting is never slower than not drafting, as fast as it could be, and off is not for ever. */
class MeasuredBudgetTest {
    private static final long SEED = 20_261_121L;
    private static final int REQUESTS = 200;
    private static final int BLOCKS = 3;
    private static final int TOKENS = 200;
    /** A step of one token, and each further one a twentieth of it. */
    private static final Curve CHEAP = tokens -> 500_000 + 25_000.0 * tokens;
    /** Two tokens take nearly twice as long as one. */
    private static final Curve DEAR = tokens -> 50_000 + 450_000.0 * tokens;

    private static Result serve(MeasuredBudget choice, Curve curve, double noise, int batch, double right) {
        return serve(choice, curve, noise, batch, right, right);
    }

    /** Requests by the batch, in blocks that draw their own luck. */
    private static Result serve(
            MeasuredBudget choice, Curve curve, double noise, int batch, double right, double claimed) {
        double nanos = 0;
        double plain = 0;
        for (int block = 0; block < BLOCKS; block++) {
            SimulatedServing serving = new SimulatedServing(SEED + block, choice, curve, noise);
            for (int i = 0; i < REQUESTS / batch; i++) {
                Result one = serving.serve(batch, TOKENS, right, claimed);
                nanos += one.nanos();
                plain += one.plainNanos();
            }
        }
        return new Result(nanos, plain);
    }

    /** Tokens a second of the best fixed length of chains over those of plain decoding. */
    private static double attainable(Curve curve, int batch, double right) {
        double best = 1;
        double yield = 1;
        for (int nodes = 1; nodes <= SimulatedServing.CHAIN; nodes++) {
            yield += Math.pow(right, nodes);
            double drafting = batch * 10_000;
            best = Math.max(best, yield * curve.nanos(batch) / (curve.nanos(batch * (1 + nodes)) + drafting));
        }
        return best;
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void whereNothingIsRightTheTimeIsWithinHalfAPercentOfPlainDecoding(int batch, double noise) {
        assertThat(serve(new MeasuredBudget(new StepCosts()), CHEAP, noise, batch, 0.02)
                        .ratio())
                .as("seed %d", SEED)
                .isGreaterThan(0.995);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void whereVerifyingCostsMoreThanItGainsTheTimeIsWithinHalfAPercentToo(int batch, double noise) {
        assertThat(serve(new MeasuredBudget(new StepCosts()), DEAR, noise, batch, 0.5)
                        .ratio())
                .as("seed %d", SEED)
                .isGreaterThan(0.995);
    }

    /** What is not verified tells, too: the next token comes anyway. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void draftsThatPromiseTooMuchAreSoonFoundOut(int batch, double noise) {
        assertThat(serve(new MeasuredBudget(new StepCosts()), CHEAP, noise, batch, 0.03, 0.7)
                        .ratio())
                .as("seed %d", SEED)
                .isGreaterThan(0.98);
    }

    /** An engine waits for all drafts of a step: 64 at once would take a third of it. */
    @Test
    void whereDraftsDoNotPayRequestsThatBeginTogetherLookInTurn() {
        SimulatedServing serving = new SimulatedServing(SEED, new MeasuredBudget(new StepCosts()), CHEAP, 0);
        serving.serve(64, TOKENS, 0.02);
        serving.draftsMost();
        serving.serve(64, TOKENS, 0.02);
        assertThat(serving.draftsMost()).isBetween(1, 8);
    }

    /** A bad minute was all that was seen of larger steps. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void sizesThoughtFarTooDearAreTriedAgain(int batch, double noise) {
        StepCosts costs = new StepCosts();
        for (int i = 0; i < 100; i++) {
            costs.add(batch, batch, Math.round(CHEAP.nanos(batch)));
        }
        for (int tokens = batch + 1; tokens <= 17 * batch; tokens++) {
            for (int i = 0; i < 10; i++) {
                costs.add(batch, tokens, Math.round(3 * CHEAP.nanos(tokens)));
            }
        }
        for (int i = 0; i < 500; i++) {
            costs.add(batch, batch, Math.round(CHEAP.nanos(batch)));
        }
        MeasuredBudget choice = new MeasuredBudget(costs);
        serve(choice, CHEAP, noise, batch, 0.9);
        serve(choice, CHEAP, noise, batch, 0.9);
        assertThat(serve(choice, CHEAP, noise, batch, 0.9).ratio())
                .as("seed %d", SEED)
                .isGreaterThan(0.8 * attainable(CHEAP, batch, 0.9));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0.92", "1, 0.2, 0.92", "8, 0, 0.92", "8, 0.2, 0.85"})
    void whereDraftingPaysItGivesNearlyAllThatCouldBeHad(int batch, double noise, double share) {
        for (double right : new double[] {0.5, 0.8, 0.97}) {
            assertThat(serve(new MeasuredBudget(new StepCosts()), CHEAP, noise, batch, right)
                            .ratio())
                    .as("seed %d, right %s", SEED, right)
                    .isGreaterThan(share * attainable(CHEAP, batch, right));
        }
    }

    /** Another process computed while the first drafts were verified: one step in sixty is slow, and one of the first is likely to be. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void aSlowStepAmongTheFirstDoesNotKeepDraftsAwayForThousandsOfSteps(int batch) {
        for (int slow = 0; slow < 12; slow++) {
            SimulatedServing serving =
                    new SimulatedServing(SEED, new MeasuredBudget(new StepCosts()), CHEAP, 0).slow(slow, 3);
            serving.serve(batch, 2 * TOKENS, 0.95);
            assertThat(serving.serve(batch, 4 * TOKENS, 0.95).ratio())
                    .as("step %d", slow)
                    .isGreaterThan(0.75 * attainable(CHEAP, batch, 0.95));
        }
    }

    /** It has read a lane's files from the disk, or was not compiled yet. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void aFirstDraftThatTookLongIsSoonForgotten(int batch, double noise) {
        SimulatedServing serving = new SimulatedServing(SEED, new MeasuredBudget(new StepCosts()), CHEAP, noise);
        serving.nextDraftTakes(60 * Math.round(CHEAP.nanos(batch)));
        serving.serve(batch, 2 * TOKENS, 0.8);
        double nanos = 0;
        double plain = 0;
        for (int i = 0; i < REQUESTS / batch; i++) {
            Result one = serving.serve(batch, TOKENS, 0.8);
            nanos += one.nanos();
            plain += one.plainNanos();
        }
        assertThat(plain / nanos).as("seed %d", SEED).isGreaterThan(0.8 * attainable(CHEAP, batch, 0.8));
    }

    /** An engine that tells no times: its drafts are needed to learn from, though nobody knows what they are worth. */
    @Test
    void whereNoStepsTimeIsToldEachIsDraftedFor() {
        MeasuredBudget choice = new MeasuredBudget(new StepCosts());
        RequestBudget request = choice.begin(CostCurve.UNKNOWN);
        Verdict verdict = new Verdict();
        DraftPrefix verified = new DraftPrefix();
        int[] nodes = new int[1];
        for (int step = 0; step < 500; step++) {
            assertThat(request.draftTokens(1, 16)).isEqualTo(step <= 8 ? 0 : 16);
            Draft draft = new SimulatedServing.Chain(16, 0.9);
            choice.trim(List.of(draft), List.of(request), Integer.MAX_VALUE, nodes);
            assertThat(nodes[0]).isZero();
            verdict.walk(verified.of(draft, nodes[0]), (node, depth) -> -1);
            request.learn(draft, nodes[0], verdict, 100_000);
        }
        assertThat(choice.begin(CostCurve.UNKNOWN).draftTokens(1, 16)).isEqualTo(16);
    }

    /** Prompts come in with every step: their times say nothing, and nothing is won by waiting for one that does. */
    @Test
    void aBatchWhoseStepsAreNeverMeasuredIsDraftedForAllTheSame() {
        MeasuredBudget choice = new MeasuredBudget(new StepCosts());
        serve(choice, CHEAP, 0, 1, 0.9);
        List<RequestBudget> requests =
                Stream.generate(() -> choice.begin(CostCurve.UNKNOWN)).limit(4).toList();
        List<Draft> drafts = Collections.nCopies(4, new SimulatedServing.Chain(16, 0.9));
        int plain = 0;
        while (requests.get(0).draftTokens(4, 16) == 0) {
            choice.trim(drafts, requests, Integer.MAX_VALUE, new int[4]);
            plain++;
        }
        assertThat(plain).isBetween(1, 10);
        int[] nodes = new int[4];
        choice.trim(drafts, requests, Integer.MAX_VALUE, nodes);
        assertThat(Arrays.stream(nodes).min().orElseThrow()).isGreaterThan(4);
    }

    /** A server whose load swings meets a batch size seldom: each would be measured without drafts at nearly every visit. */
    @Test
    void whereTheBatchChangesWithEachStepFewGoWithoutDrafts() {
        Curve curve = tokens -> 5_000_000 + 25_000.0 * tokens;
        SimulatedServing serving = new SimulatedServing(SEED, new MeasuredBudget(new StepCosts()), curve, 0);
        serving.undrafted(20, 44, 2_000, 0.9);
        assertThat(serving.undrafted(20, 44, 2_000, 0.9)).isLessThan(0.05);
    }

    /** A request that pauses says for how long, and the steps in which it does not ask count. */
    @Test
    void aPauseLastsAsLongAsItSays() {
        BudgetChoice choice = BudgetChoice.measured();
        SimulatedServing serving = new SimulatedServing(SEED, choice, tokens -> 20_000 + 80_000.0 * tokens, 0);
        serving.serve(1, 4_000, 0.01);
        RequestBudget request = choice.begin(CostCurve.UNKNOWN);
        int longest = 0;
        for (int look = 0; look < 40; look++) {
            int pause = request.pause();
            longest = Math.max(longest, pause);
            for (int step = 0; step < pause; step++) {
                assertThat(request.pause()).isEqualTo(pause - step);
                if ((look + step) % 2 == 0) {
                    request.pass();
                } else {
                    assertThat(request.draftTokens(1, 16))
                            .as("look %d, step %d", look, step)
                            .isZero();
                }
            }
            Draft draft = serving.drafted(request);
            assertThat(draft.size()).as("look %d", look).isPositive();
            serving.inVain(request, draft);
        }
        assertThat(longest).isGreaterThan(50);
    }

    /** What a step with drafts gave is settled whether the next one asks or not. */
    @Test
    void stepsForWhichNobodyAskedDoNotHideWhatDraftsEarn() {
        double always = pauseAfter(0);
        assertThat((double) pauseAfter(1)).isCloseTo(always, within(always / 3));
    }

    /** How long a request pauses at most whose drafts were in vain, after drafts earned nothing and then much, each followed by so many steps without asking. */
    private static int pauseAfter(int unasked) {
        BudgetChoice choice = BudgetChoice.measured();
        SimulatedServing serving = new SimulatedServing(SEED, choice, tokens -> 100_000 + 2_000.0 * tokens, 0);
        serving.serve(1, 4_000, 0.01);
        serving.unasked(unasked).serve(1, 20_000, 0.9);
        RequestBudget request = choice.begin(CostCurve.UNKNOWN);
        int longest = 0;
        for (int look = 0; look < 40; look++) {
            for (int step = request.pause(); step > 0; step--) {
                request.pass();
            }
            serving.inVain(request, serving.drafted(request));
            longest = Math.max(longest, request.pause());
        }
        return longest;
    }

    /** One computes in each step and asks for no drafts, as a request whose prompt was given as embeddings. */
    @Test
    void aRequestThatDoesNotAskKeepsNobodyElseFromDrafts() {
        MeasuredBudget choice = new MeasuredBudget(new StepCosts());
        List<RequestBudget> requests =
                Stream.generate(() -> choice.begin(CostCurve.UNKNOWN)).limit(4).toList();
        List<Draft> drafts = Collections.nCopies(4, new SimulatedServing.Chain(16, 0.9));
        int undrafted = 0;
        for (int step = 0; step < 40; step++) {
            undrafted += requests.get(0).draftTokens(4, 16) == 0 ? 1 : 0;
            int[] nodes = new int[4];
            choice.trim(drafts, requests, Integer.MAX_VALUE, nodes);
            int tokens = 5 + Arrays.stream(nodes).sum();
            choice.measured(5, tokens, Math.round(CHEAP.nanos(tokens)));
        }
        assertThat(undrafted).isLessThanOrEqualTo(10);
    }

    /** The same engine, after hundreds of requests at which nothing paid. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void whenDraftingPaysAgainTheNextRequestsGainFromIt(int batch, double noise) {
        MeasuredBudget choice = new MeasuredBudget(new StepCosts());
        serve(choice, CHEAP, noise, batch, 0.02);
        Result next = new SimulatedServing(SEED + 1, choice, CHEAP, noise).serve(batch, TOKENS, 0.95);
        assertThat(next.ratio()).as("seed %d", SEED).isGreaterThan(0.75 * attainable(CHEAP, batch, 0.95));
    }

    /** What repeats an earlier answer is not seen before some of it is there: a look spent sooner is followed by a long pause. */
    @Test
    void whereNothingPaidLatelyAnAnswersFirstTokensAreAwaited() {
        MeasuredBudget choice = new MeasuredBudget(new StepCosts());
        assertThat(firstLook(choice)).isZero();
        serve(choice, CHEAP, 0, 1, 0.02);
        assertThat(firstLook(choice)).isEqualTo(4);
        serve(choice, CHEAP, 0, 1, 0.95);
        assertThat(firstLook(choice)).isZero();
    }

    /** Steps of a new request before the first that asks for a draft; plain steps that are due to be measured do not count. */
    private static int firstLook(MeasuredBudget choice) {
        for (int i = 0; i < 5; i++) {
            choice.measured(1, 1, 1_000_000);
        }
        RequestBudget request = choice.begin(CostCurve.UNKNOWN);
        int steps = 0;
        while (request.draftTokens(1, 16) == 0) {
            steps++;
        }
        return steps;
    }

    /** An engine prepares for a shape when it first comes. */
    @Test
    void theFirstStepOfAShapeCountsForLittleAndTheNextOnesInFull() {
        StepCosts costs = new StepCosts();
        MeasuredBudget choice = new MeasuredBudget(costs);
        choice.measured(1, 1, 3_000_000);
        assertThat(costs.measured())
                .as("nothing tells how much of it was preparation")
                .isFalse();
        for (int i = 0; i < 4; i++) {
            choice.measured(1, 1, 1_000_000);
        }
        choice.measured(1, 9, 3_000_000);
        assertThat(costs.nanos(1, 9)).isBetween(1_000_000.0, 1_250_000.0);
        for (int i = 0; i < 40; i++) {
            choice.measured(1, 9, 3_000_000);
        }
        assertThat(costs.nanos(1, 9)).as("it is dear indeed").isGreaterThan(2_500_000);
    }

    /** After as many requests again: each size is measured rarely while another seems better. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void whenStepsBecomeDearTheChoiceFollows(int batch, double noise) {
        MeasuredBudget choice = new MeasuredBudget(new StepCosts());
        serve(choice, CHEAP, noise, batch, 0.7);
        serve(choice, DEAR, noise, batch, 0.7);
        assertThat(serve(choice, DEAR, noise, batch, 0.7).ratio())
                .as("seed %d", SEED)
                .isGreaterThan(0.95 * attainable(DEAR, batch, 0.7));
    }
}
