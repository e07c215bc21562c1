package io.tailrace.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.DraftTree;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayFiguresTest {
    @Test
    void aCostCurveIsStraightBetweenItsPointsAndGoesOn() {
        AssumedCost curve = AssumedCost.parse("1:1,9:1.2,17:2");
        assertThat(curve.time(1)).isEqualTo(1);
        assertThat(curve.time(5)).isCloseTo(1.1, within(1e-9));
        assertThat(curve.time(13)).isCloseTo(1.6, within(1e-9));
        assertThat(curve.time(25)).isCloseTo(2.8, within(1e-9));
        assertThat(AssumedCost.parse("1:1").time(64)).isEqualTo(1);
        assertThat(AssumedCost.parse(AssumedCost.DEFAULT).time(600)).isCloseTo(4.3, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2:1", "1:2", "1:1,1:2", "1:1,5:0.5", "1:1,x", "1:1,3:NaN"})
    void anImpossibleCostCurveIsRefused(String text) {
        assertThatThrownBy(() -> AssumedCost.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void speedUpSetsTokensAgainstTheTimeOfTheSteps() {
        ReplayTally tally = new ReplayTally();
        tally.addStep(16, 3, 4, 1);
        tally.addStep(0, 0, 1, 1);
        assertThat(tally.speedUp(AssumedCost.parse("1:1,17:1.5"))).isCloseTo(5 / 2.5, within(1e-9));
    }

    @Test
    void theTokensOfAllRequestsOfAStepMakeItsTime() {
        ReplayTally tally = new ReplayTally();
        for (int i = 0; i < 10; i++) {
            tally.addStep(31, 4, 5, 1);
        }
        AssumedCost cost = AssumedCost.parse(AssumedCost.DEFAULT);
        double[] speedUps = new double[3];
        int[] batches = {1, 8, 64};
        for (int i = 0; i < batches.length; i++) {
            speedUps[i] = tally.speedUp(cost.sharedBy(batches[i]));
            double step = assumed(batches[i] * 32);
            assertThat(speedUps[i]).as("batch %d", batches[i]).isCloseTo(5 * assumed(batches[i]) / step, within(1e-9));
        }
        assertThat(speedUps[0]).isGreaterThan(speedUps[1] + 1);
        assertThat(speedUps[1]).isGreaterThan(speedUps[2] + 1);
    }

    /** The default, written out: a slow rise while weights are read, then each token its share. */
    private static double assumed(int tokens) {
        return tokens <= 150 ? 1 + 0.3 * (tokens - 1) / 149 : 1.3 + (tokens - 150) / 150.0;
    }

    @Test
    void theOthersOfAStepVerifyWhatRequestsDoOnAverage() {
        ReplayTally tally = new ReplayTally();
        tally.addStep(16, 3, 4, 1);
        tally.addStep(0, 0, 1, 1);
        // Of three requests the other two verify 9 each: steps of 17 + 18 and of 1 + 18 tokens, in place of 3.
        assertThat(tally.speedUp(AssumedCost.parse("1:1,101:2").sharedBy(3)))
                .isCloseTo(5 * 1.02 / (1.34 + 1.18), within(1e-9));
    }

    @Test
    void stepsHaveRequests() {
        assertThatThrownBy(() -> AssumedCost.parse("1:1").sharedBy(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAuditAcceptsWhatIsAcceptedOnRandomTrees() {
        Random random = new Random(11);
        OnlineReplay.DraftAudit audit = new OnlineReplay.DraftAudit();
        for (int round = 0; round < 20_000; round++) {
            DraftTree tree = new DraftTree();
            int size = random.nextInt(12);
            for (int node = 0; node < size; node++) {
                int parent = random.nextInt(tree.size() + 1) - 1;
                int token = random.nextInt(3);
                if (!hasChild(tree, parent, token)) {
                    tree.add(token, parent, 0.5f, 0, 1);
                }
            }
            int[] truth = random.ints(1 + random.nextInt(6), 0, 3).toArray();
            int at = random.nextInt(truth.length);
            ReplayTally tally = new ReplayTally();
            assertThat(audit.verify(tree, truth, at, tally))
                    .as("seed 11, round %d", round)
                    .isEqualTo(new AcceptedPath().walk(tree, truth, at));
        }
    }

    @Test
    void everyNodeIsPredictedAndObservedButThoseBehindTheEnd() {
        DraftTree tree = new DraftTree();
        tree.add(7, -1, 0.8f, 0, 1);
        tree.add(8, 0, 0.4f, 0, 1);
        tree.add(9, 0, 0.2f, 0, 1);
        tree.add(5, 1, 0.1f, 0, 1);
        ReplayTally tally = new ReplayTally();
        assertThat(new OnlineReplay.DraftAudit().verify(tree, new int[] {7, 8}, 0, tally))
                .isEqualTo(2);
        assertThat(tally.paths().bins())
                .extracting(Reliability.Bin::from, Reliability.Bin::cases, Reliability.Bin::observed)
                .containsExactly(tuple(0.2, 1L, 0.0), tuple(0.4, 1L, 1.0), tuple(0.8, 1L, 1.0));
        assertThat(tally.tokensAtNode().bins())
                .extracting(Reliability.Bin::from)
                .containsExactly(0.2, 0.5, 0.8);
        assertThat(tally.paths().worst(1).orElseThrow().off()).isCloseTo(0.6, within(1e-6));
        assertThat(tally.paths().worst(2)).isEmpty();
    }

    @Test
    void aBinWithEnoughCasesThatIsOffTooFarIsSaid() {
        assertThat(calibration(999, 0.9, 0)).matches(calibration -> !calibration.isJudged());
        assertThat(calibration(999, 0.9, 0).describe()).isEqualTo("calibration not judged: no bin has 1,000 cases");
        assertThat(calibration(1_000, 0.5, 451))
                .matches(Reliability.Calibration::isJudged)
                .matches(Reliability.Calibration::holds);
        assertThat(calibration(1_000, 0.5, 451).describe())
                .isEqualTo("calibrated; of bins with 1,000 cases or more the worst of paths is off by 0.049"
                        + " (predicted 0.500, right 0.451)");
        assertThat(calibration(1_000, 0.5, 449)).matches(calibration -> !calibration.holds());
        assertThat(calibration(1_000, 0.5, 449).describe()).startsWith("NOT CALIBRATED");
    }

    @Test
    void tokensAreJudgedLikePaths() {
        ReplayTally tally = new ReplayTally();
        for (int i = 0; i < 1_000; i++) {
            tally.tokensAtNode().add(0.75, i < 900);
        }
        assertThat(Reliability.Calibration.of(tally).holds()).isFalse();
        assertThat(Reliability.Calibration.of(tally).describe()).contains("the worst of tokens is off by 0.150");
    }

    private static Reliability.Calibration calibration(int cases, double predicted, int hits) {
        ReplayTally tally = new ReplayTally();
        for (int i = 0; i < cases; i++) {
            tally.paths().add(predicted, i < hits);
        }
        return Reliability.Calibration.of(tally);
    }

    private static boolean hasChild(DraftTree tree, int parent, int token) {
        for (int node = 0; node < tree.size(); node++) {
            if (tree.parent(node) == parent && tree.token(node) == token) {
                return true;
            }
        }
        return false;
    }
}
