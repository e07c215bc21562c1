package io.tailrace.suffix.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.SourceKind;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BudgetChooserTest {
    private static final long SEED = 20_261_126L;
    private static final CostCurve FREE =
            CostCurve.of(List.of(new CostCurve.Point(1, 1, 10_000), new CostCurve.Point(1, 65, 10_500)));
    private static final CostCurve DEAR =
            CostCurve.of(List.of(new CostCurve.Point(1, 1, 10_000), new CostCurve.Point(1, 65, 10_000 + 64 * 12_000)));
    private static final CostCurve STEEP =
            CostCurve.of(List.of(new CostCurve.Point(1, 1, 10_000), new CostCurve.Point(1, 9, 26_000)));

    /** One path of tokens 0, 1, 2, ... of which each is right with the same probability, and claims another. */
    private record Path(int size, double claimed) implements Draft {
        @Override
        public int token(int node) {
            return node;
        }

        @Override
        public int parent(int node) {
            return node - 1;
        }

        @Override
        public float probability(int node) {
            return (float) Math.pow(claimed, node + 1);
        }

        @Override
        public SourceKind source(int node) {
            return SourceKind.OWN;
        }

        @Override
        public int matchLength(int node) {
            return 1;
        }
    }

    /** Simulated time of so many tokens, relative to decoding without drafts. */
    private static double relativeTime(
            BudgetChooser chooser, Random random, CostCurve believed, CostCurve real, double claimed, double right) {
        double time = 0;
        long tokens = 0;
        while (tokens < 50_000) {
            int accepted = 0;
            int nodes = 0;
            int first = random.nextDouble() < right ? 0 : 1_000;
            if (chooser.wantsDraft()) {
                nodes = chooser.choose(new Path(16, claimed), believed, 1);
                boolean goesOn = first == 0;
                while (accepted < nodes && goesOn) {
                    accepted++;
                    goesOn = random.nextDouble() < right;
                }
            } else {
                chooser.passed(believed, 1);
            }
            chooser.verified(accepted, first);
            time += real.micros(1, nodes + 1);
            tokens += accepted + 1;
        }
        return time / (tokens * real.micros(1, 1));
    }

    @Test
    void whereVerifyingCostsMoreThanItGainsTheTimeIsWithinAPercentOfNone() {
        for (double right : new double[] {0.0, 0.3, 0.9, 1.0}) {
            double time = relativeTime(new BudgetChooser(), new Random(SEED), DEAR, DEAR, right, right);
            assertThat(time).as("right %s, seed %d", right, SEED).isLessThan(1.01);
        }
    }

    @Test
    void onTextWithoutRepetitionTheTimeIsWithinAPercentOfNone() {
        for (double claimed : new double[] {0.9, 0.5, 0.1}) {
            double time = relativeTime(new BudgetChooser(), new Random(SEED), STEEP, STEEP, claimed, 0.0);
            assertThat(time).as("claimed %s, seed %d", claimed, SEED).isLessThan(1.01);
        }
    }

    @Test
    void whereVerifyingIsNearlyFreeDraftsAreVerifiedWhole() {
        BudgetChooser chooser = new BudgetChooser();
        assertThat(chooser.choose(new Path(16, 0.9), FREE, 1)).isEqualTo(16);
        assertThat(relativeTime(chooser, new Random(SEED), FREE, FREE, 0.9, 0.9))
                .isLessThan(0.2);
    }

    @Test
    void withoutACurveDraftsAreVerifiedWhole() {
        assertThat(new BudgetChooser().choose(new Path(16, 0.1), CostCurve.UNKNOWN, 1))
                .isEqualTo(16);
    }

    @Test
    void theCutIsTheLengthThatAnExhaustiveSearchFinds() {
        Random random = new Random(SEED);
        for (int round = 0; round < 1_000; round++) {
            double claimed = random.nextDouble();
            CostCurve curve = CostCurve.of(List.of(
                    new CostCurve.Point(1, 1, 10_000),
                    new CostCurve.Point(1, 4, 10_000 + random.nextInt(9_000)),
                    new CostCurve.Point(1, 17, 20_000 + random.nextInt(40_000))));
            Path draft = new Path(16, claimed);
            int best = 0;
            double bestSpeed = BudgetChooser.GAIN_MIN / curve.micros(1, 1);
            for (int nodes = 1; nodes <= 16; nodes++) {
                double sum = 1;
                for (int node = 0; node < nodes; node++) {
                    sum += draft.probability(node);
                }
                double speed = sum / curve.micros(1, nodes + 1);
                if (speed > bestSpeed * (1 + 1e-12)) {
                    bestSpeed = speed;
                    best = nodes;
                }
            }
            assertThat(new BudgetChooser().choose(draft, curve, 1))
                    .as("seed %d round %d", SEED, round)
                    .isEqualTo(best);
        }
    }

    @Test
    void whenDraftingPaysAgainItComesBack() {
        BudgetChooser chooser = new BudgetChooser();
        Random random = new Random(SEED);
        relativeTime(chooser, random, STEEP, STEEP, 0.9, 0.0);
        assertThat(chooser.correction()).isLessThan(0.2);
        relativeTime(chooser, random, STEEP, STEEP, 0.9, 0.9);
        double after = relativeTime(chooser, random, STEEP, STEEP, 0.9, 0.9);
        assertThat(after).as("seed %d", SEED).isLessThan(0.75);
    }

    /** The curve says that drafting never pays, and is wrong: what exploring measures lets the fit find out. */
    @Test
    void aWrongCurveIsFoundOutByExploring() {
        BudgetChooser chooser = new BudgetChooser();
        Random random = new Random(SEED);
        int verified = 0;
        for (int step = 0; step < 20_000; step++) {
            int nodes = 0;
            if (chooser.wantsDraft()) {
                nodes = chooser.choose(new Path(16, 0.5), DEAR, 1);
            } else {
                chooser.passed(DEAR, 1);
            }
            verified += nodes > 0 ? 1 : 0;
            chooser.verified(0, random.nextDouble() < 0.5 ? 0 : 1_000);
        }
        assertThat(verified).as("explored steps of 20,000").isBetween(30, 400);
    }

    @Test
    void aPrefixIsATreeOfItsFirstNodes() {
        Draft cut = new DraftPrefix().of(new Path(16, 0.5), 3);
        assertThat(cut.size()).isEqualTo(3);
        assertThat(cut.token(2)).isEqualTo(2);
        assertThat(new DraftPrefix().of(new Path(2, 0.5), 3).size()).isEqualTo(2);
    }
}
