package io.tailrace.client.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.SimulatedServing.Curve;
import io.tailrace.client.budget.SimulatedServing.Result;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a worker does that has just started, and knows of the fleet's step times. */
class AnnouncedBudgetTest {
    private static final int WORKERS = 12;
    private static final long SEED = 20_261_132L;
    private static final double GAIN_MIN = 1.02;
    /** A step of one token, and each further one a twentieth of it. */
    private static final Curve CHEAP = tokens -> 500_000 + 25_000.0 * tokens;
    /** Two tokens take nearly twice as long as one. */
    private static final Curve DEAR = tokens -> 50_000 + 450_000.0 * tokens;

    /** Nodes that follow each other, or each the context. */
    private static DraftTree draft(Random random, int size, boolean line) {
        DraftTree draft = new DraftTree();
        float probability = 1;
        for (int node = 0; node < size; node++) {
            probability *= 1 - random.nextFloat() / (1 + random.nextInt(9));
            draft.add(node, line ? node - 1 : -1, probability, 0, 1);
        }
        return draft;
    }

    /** What a step gains by the first so many nodes of each draft, where nothing was verified before: plain steps, less what their rows take now. */
    private static double gain(List<Draft> drafts, CostCurve curve, int[] nodes) {
        int batch = drafts.size();
        double plain = curve.micros(batch, batch);
        double saved = 0;
        for (int i = 0; i < batch; i++) {
            for (int node = 0; node < nodes[i]; node++) {
                saved += plain / batch * drafts.get(i).probability(node);
            }
        }
        int carried = Arrays.stream(nodes).sum();
        return carried == 0 ? (GAIN_MIN - 1) * plain : saved - (curve.micros(batch, batch + carried) - plain);
    }

    /** The gain of the best way to cut the drafts to so many nodes together, found by trying all. */
    private static double bestGain(List<Draft> drafts, CostCurve curve, int room, int[] nodes, int at) {
        if (at == drafts.size()) {
            return gain(drafts, curve, nodes);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (nodes[at] = 0; nodes[at] <= Math.min(room, drafts.get(at).size()); nodes[at]++) {
            best = Math.max(best, bestGain(drafts, curve, room - nodes[at], nodes, at + 1));
        }
        return best;
    }

    @Test
    void theFirstStepCarriesWhatAnExhaustiveSearchOnTheAnnouncedCurveFinds() {
        Random random = new Random(SEED);
        int withDrafts = 0;
        for (int round = 0; round < 5_000; round++) {
            CostCurve curve = Curves.random(random);
            MeasuredBudget budget = new MeasuredBudget(new StepCosts());
            List<Draft> drafts = new ArrayList<>();
            List<RequestBudget> requests = new ArrayList<>();
            int batch = 1 + random.nextInt(3);
            for (int i = 0; i < batch; i++) {
                requests.add(budget.begin(curve));
                int most = requests.get(i).draftTokens(batch, 16);
                assertThat(most).as("drafts are wanted from the first step on").isEqualTo(16);
                boolean line = batch == 1 && random.nextBoolean();
                drafts.add(draft(random, random.nextInt(batch == 1 ? 17 : 7), line));
            }
            int[] nodes = new int[batch];
            int room = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(8);
            budget.trim(drafts, requests, room, nodes);
            assertThat(Arrays.stream(nodes).sum()).isLessThanOrEqualTo(room);
            withDrafts += Arrays.stream(nodes).sum() > 0 ? 1 : 0;
            double best = bestGain(drafts, curve, room, new int[batch], 0);
            assertThat(gain(drafts, curve, nodes))
                    .as("seed %d, round %d, %s", SEED, round, Arrays.toString(nodes))
                    .isGreaterThanOrEqualTo(best - 1e-5 * Math.abs(best) - 1e-9);
        }
        assertThat(withDrafts).isBetween(1_000, 4_999);
    }

    private static int firstCut(Curve curve, double probability) {
        MeasuredBudget budget = new MeasuredBudget(new StepCosts());
        RequestBudget request = budget.begin(Curves.of(curve));
        int size = request.draftTokens(1, 16);
        DraftTree draft = new DraftTree();
        for (int node = 0; node < size; node++) {
            draft.add(node, node - 1, (float) Math.pow(probability, node + 1), 0, 1);
        }
        int[] nodes = new int[1];
        budget.trim(List.of(draft), List.of(request), Integer.MAX_VALUE, nodes);
        return nodes[0];
    }

    @Test
    void onASteepCurveTheFirstStepCarriesNothingAndOnAFlatOneAll() {
        assertThat(firstCut(DEAR, 0.8)).isZero();
        assertThat(firstCut(tokens -> 1_000_000 + 1_000.0 * tokens, 0.8)).isEqualTo(16);
        assertThat(firstCut(CHEAP, 0.8)).isBetween(4, 13);
    }

    /** Where the curve is right the first request already gains, and no less than where the worker has to find out for itself. */
    @ParameterizedTest
    @CsvSource({"1, 0.8", "8, 0.8", "1, 0.3", "8, 0.3", "1, 0.02", "8, 0.02"})
    void aWorkerThatKnowsTheCurveLosesNothingInItsFirstRequests(int batch, double right) {
        for (Curve curve : List.of(CHEAP, DEAR)) {
            double with = 0;
            double without = 0;
            double plain = 0;
            for (int seed = 0; seed < 50; seed++) {
                with += first(SEED + seed, Curves.of(curve), curve, batch, right)
                        .nanos();
                without += first(SEED + seed, CostCurve.UNKNOWN, curve, batch, right)
                        .nanos();
                plain += first(SEED + seed, Curves.of(curve), curve, batch, right)
                        .plainNanos();
            }
            assertThat(with)
                    .as("seed %d, beside plain decoding; what is tried costs four steps", SEED)
                    .isLessThan(1.05 * plain);
            assertThat(with).as("seed %d, beside finding out", SEED).isLessThan(1.03 * without);
        }
    }

    private static Result first(long seed, CostCurve announced, Curve curve, int batch, double right) {
        return new SimulatedServing(seed, new MeasuredBudget(new StepCosts()), announced, curve, 0)
                .serve(batch, 100, right);
    }

    /** Somebody gave slow machines the class of quick ones, or the other way about. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void aCurveThatCallsDearStepsCheapIsFoundOutWithinTheFirstRequests(int batch, double noise) {
        double nanos = 0;
        double plain = 0;
        SimulatedServing serving = new SimulatedServing(
                SEED, new MeasuredBudget(new StepCosts()), Curves.of(tokens -> CHEAP.nanos(tokens) / 7), DEAR, noise);
        for (int i = 0; i < 200 / batch; i++) {
            Result result = serving.serve(batch, 200, 0.5);
            nanos += result.nanos();
            plain += result.plainNanos();
        }
        assertThat(plain / nanos).as("seed %d", SEED).isGreaterThan(0.97);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.2", "8, 0", "8, 0.2"})
    void aCurveThatCallsCheapStepsDearIsFoundOutToo(int batch, double noise) {
        double misled = laterRatio(Curves.of(DEAR), batch, noise);
        double alone = laterRatio(CostCurve.UNKNOWN, batch, noise);
        assertThat(misled).as("seed %d", SEED).isGreaterThan(0.95 * alone);
        assertThat(alone).as("seed %d", SEED).isGreaterThan(1.5);
    }

    /** What drafts are worth once much was served; the mean of several workers, for under noise one may be off by a tenth. */
    private static double laterRatio(CostCurve announced, int batch, double noise) {
        double sum = 0;
        for (int worker = 0; worker < WORKERS; worker++) {
            SimulatedServing serving =
                    new SimulatedServing(SEED + worker, new MeasuredBudget(new StepCosts()), announced, CHEAP, noise);
            for (int i = 0; i < 200 / batch; i++) {
                serving.serve(batch, 200, 0.9);
            }
            sum += serving.serve(batch, 2_000, 0.9).ratio();
        }
        return sum / WORKERS;
    }
}
