package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.StepTime;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.CostFit;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One quantity from end to end: a worker's steps, outcomes, the job's fit, a manifest, another worker's snapshot and its budget. */
class CostStoryTest {
    private static final long SEED = 20_261_133L;
    private static final String CLASS = "h100";
    private static final int BATCH = 8;

    @TempDir
    private Path folder;

    /** A step takes 4 ms, and 50 us for each token of all its requests. */
    private static double micros(int tokens) {
        return 4_000 + 50.0 * tokens;
    }

    /** What a request's outcome says of its steps in a batch of which each request drafts as it likes. */
    private static Outcome outcome(Random random, int steps) throws Exception {
        DecodeTally tally = new DecodeTally();
        Verdict verdict = new Verdict();
        for (int step = 0; step < steps; step++) {
            int tokens = BATCH + random.nextInt(1 + 2 * random.nextInt(64));
            verdict.cost(BATCH, tokens, Math.round(micros(tokens)));
            tally.add(new DraftTree(), verdict, 0);
        }
        ServedRequest served = new ServedRequest(
                "r",
                new Lane("m", "1", "s"),
                "w",
                CLASS,
                "adaptive",
                null,
                null,
                1,
                0f,
                new DecodeResult(new int[steps], tally, 0, 0),
                null,
                0,
                1,
                Finish.STOP);
        return RecordCodec.OUTCOME.decode(RecordCodec.OUTCOME.encode(served.outcome()));
    }

    private LoadedSnapshot loaded(List<CostPoint> points) throws Exception {
        SnapshotManifest manifest = Manifests.manifest(7);
        manifest.getPolicy().setCostCurve(points);
        byte[] bytes = RecordCodec.SNAPSHOT_MANIFEST.encode(manifest);
        try (SnapshotLoader loader = SnapshotLoader.create(
                Manifests.MODEL, SegmentStore.at(folder.toUri()), folder.resolve("cache"), 1 << 20)) {
            return loader.load(RecordCodec.SNAPSHOT_MANIFEST.decode(bytes), null);
        }
    }

    private static List<CostPoint> fitted(List<Outcome> outcomes) {
        CostFit fit = new CostFit();
        for (Outcome outcome : outcomes) {
            for (StepTime time : outcome.getStepTimes()) {
                fit.add(time.getBatch(), time.getVerifiedTokens(), time.getSteps(), (double) time.getMicros());
            }
        }
        return fit.points().stream()
                .map(point -> new CostPoint(CLASS, point.batch(), point.verifiedTokens(), (float) point.micros()))
                .toList();
    }

    @Test
    void whatOneWorkerMeasuredOfABatchIsWhatTheNextOneBudgetsBy() throws Exception {
        Random random = new Random(SEED);
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            outcomes.add(outcome(random, 50));
        }
        CostCurve curve = loaded(fitted(outcomes)).costCurve(CLASS);
        for (int tokens = BATCH; tokens <= 120; tokens++) {
            assertThat(curve.micros(BATCH, tokens))
                    .as("seed %d, %d tokens", SEED, tokens)
                    .isCloseTo(micros(tokens), within(0.05 * micros(tokens)));
        }
        double rate = rateOfFirstStep(curve);
        assertThat(rate).as("seed %d", SEED).isGreaterThan(0.97 * bestRate());
    }

    /** Eight requests, each with a line of 12 tokens that are right with a probability of their own. */
    private static float probability(int request, int node) {
        return (float) Math.pow(0.3 + 0.09 * request, node + 1);
    }

    private static double rateOfFirstStep(CostCurve curve) {
        BudgetChoice budget = BudgetChoice.measured();
        List<Draft> drafts = new ArrayList<>();
        List<RequestBudget> requests = new ArrayList<>();
        for (int request = 0; request < BATCH; request++) {
            requests.add(budget.begin(curve));
            assertThat(requests.get(request).draftTokens(BATCH, 12)).isEqualTo(12);
            DraftTree draft = new DraftTree();
            for (int node = 0; node < 12; node++) {
                draft.add(node, node - 1, probability(request, node), 0, 1);
            }
            drafts.add(draft);
        }
        int[] nodes = new int[BATCH];
        budget.trim(drafts, requests, Integer.MAX_VALUE, nodes);
        double yield = BATCH;
        int tokens = BATCH;
        for (int request = 0; request < BATCH; request++) {
            for (int node = 0; node < nodes[request]; node++) {
                yield += probability(request, node);
                tokens++;
            }
        }
        return yield / micros(tokens);
    }

    /** The likeliest nodes first, as many as give the most tokens a second by what steps really take. */
    private static double bestRate() {
        List<Float> all = new ArrayList<>();
        for (int request = 0; request < BATCH; request++) {
            for (int node = 0; node < 12; node++) {
                all.add(probability(request, node));
            }
        }
        all.sort((a, b) -> Float.compare(b, a));
        double yield = BATCH;
        double best = yield / micros(BATCH);
        for (int nodes = 1; nodes <= all.size(); nodes++) {
            yield += all.get(nodes - 1);
            best = Math.max(best, yield / micros(BATCH + nodes));
        }
        return best;
    }

    /** A job of an older release announced a request's own tokens: of batches of one they mean the same. */
    @Test
    void curvesThatCountOneRequestsTokensAreReadWhereTheyMeanTheSame() throws Exception {
        CostCurve curve = loaded(List.of(
                        new CostPoint(CLASS, 1, 1, 1_000f),
                        new CostPoint(CLASS, 1, 9, 2_000f),
                        new CostPoint(CLASS, 8, 1, 3_000f),
                        new CostPoint(CLASS, 8, 17, 4_000f),
                        new CostPoint(CLASS, 4, 4, Float.NaN),
                        new CostPoint("other", 8, 8, 5_000f)))
                .costCurve(CLASS);
        assertThat(curve.points()).isEqualTo(2);
        assertThat(curve.micros(1, 9)).isEqualTo(2_000);
    }
}
