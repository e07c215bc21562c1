package io.tailrace.client.budget;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;
import java.util.List;

/**
 * Verifies what pays: the number of draft tokens that gives the most tokens a second, by what steps cost and by the drafts' own
 * probabilities, set right by how they have held.
 *
 * <p><b>What steps cost</b> is what was measured here. Until that was done it is what the fleet measured on workers of this class, which the policy of a request's
 * lane announces ({@link StepCosts}). So a worker that has just started drafts as much as pays there from its first step
 * on: little where verifying is dear, long drafts where it is not. Where nothing is announced it believes nothing and measures plain steps
 * first, then larger ones.
 *
 * <p><b>Which nodes.</b> Each node costs a row of the step, as {@link StepCosts} says, and may save a later step ({@link Savings}). Nodes of all
 * requests compete: those that save most by row first, as many as gain most. Probabilities are set right by how they have held ({@link Held}).
 *
 * <p><b>Whether to draft.</b> Drafting takes time itself, which pays only if drafts then save it. Each request keeps a running
 * mean of what a draft saved; while it is negative, steps go without drafts, twice as many after each further disappointment, until
 * looking takes its {@linkplain Earnings#share share} of the request's time: little is lost, and a request that begins to repeat itself is
 * noticed within {@value #SKIP_MAX} steps at most. Where no step's time is ever told, each is drafted for, so that weights are learned, and nothing is verified. Every request is looked at when its answer begins, or, where drafts were in vain lately, after
 * {@value #FIRST_LOOK} steps: prompts are not in the index, so only an answer's first tokens tell which earlier one it repeats. Nothing is carried from one request to the next but what steps cost, how well probabilities hold, and
 * whether drafts were in vain lately, which lengthens the first pause. Drafts are grown only as far as nodes may pay. Where requests begin together,
 * they do not look together: engines wait for all drafts of a step.
 *
 * <p><b>Staying informed.</b> A {@linkplain Earnings#share share} of all time is put aside, and goes into steps that carry another number than the best one
 * ({@link Trials}). A batch size whose plain step was not measured for {@value #PLAIN_STALE} steps gets one, but not while those of other sizes are measured
 * every moment: what slows all alike shows there. Steps with prompt tokens are not measured; where all have some, drafts go by what is known of other
 * steps. The first step of a shape counts as {@value #PREPARED_MAX} times what was expected at most: engines prepare for it then, which takes up to three times its time. While the fleet's curve is believed nothing is tried.
 *
 * <p><b>Off.</b> All this is about drafts that the policy allows. Where a lane's policy is off, nobody asks this class: its requests carry no
 * drafts and tell nothing, and nothing is explored, until a version switches the policy on again; then it goes on with what it knew.
 *
 * <p>Cost: a pass over the drafted nodes; nothing is allocated once the arrays have grown.
 */
final class MeasuredBudget implements BudgetChoice {
    static final int PLAIN_STALE = 128;
    /** After so many steps that nobody measured no further one goes without drafts to be measured. */
    private static final int UNTOLD_MAX = 8;
    /** The first step of a shape, which the engine prepares for, counts as so many times what was expected at most. */
    private static final double PREPARED_MAX = 1.25;
    /** What does not seem to gain more than this is not worth the risk of being wrong. */
    private static final double GAIN_MIN = 1.02;

    /** Nodes are not drafted that are likely to be right so many times less often than would pay for them. */
    private static final double WORTH_MIN = 0.5;
    /** With as much as a plain step put aside, drafts are grown in full, so that large ones can be tried. */
    private static final double TRY_ALL_STEPS = 1;
    /** What a token costs is taken as the mean over so many a request. */
    private static final int LOOKED_NODES = 8;

    private static final int SKIP_MAX = 256;
    /** So many requests look in one step whether drafts pay, or as many as take this share of it; the others look in the next ones. */
    private static final int LOOKS_MAX = 8;

    private static final double LOOKS_SHARE = 0.03;
    /** Steps before the first draft, where drafts were in vain lately for all requests. */
    private static final int FIRST_LOOK = 4;
    /** First pause after a draft in vain, where drafts were in vain lately for all requests. */
    private static final int SKIP_WARNED = 4;
    /** Or this part of the longest pause. */
    private static final int SKIP_WARNED_PART = 4;

    /** Of what is drafted and right, so much would be drafted and right again if its step began just before it. */
    private static final double AGAIN = 0.95;
    /** Where less than one part in so many is verified, less is drafted again. */
    private static final double AGAIN_FULL = 4;

    private static final double SAVED_WEIGHT_ALL = 1.0 / 64;
    private static final double SAVED_WEIGHT = 1.0 / 8;
    private static final double DRAFT_WEIGHT = 1.0 / 32;
    private static final double DRAFT_OUTLIER = 2;
    private final StepCosts costs;
    private final Shapes shapes = new Shapes();
    private final Earnings earnings = new Earnings();
    private final Trials trials;
    private double draftNanosMean;
    private long drafts;
    /** Running means over all drafts of their first node's probability; and of the same where it was verified. */
    private double promised;

    private double verified;
    /** Running mean over all requests of the nodes that a step verifies in vain. */
    private double rejectedMean;
    /** Running mean over all requests of what a draft saved. */
    private double savedByAll;

    private final Held held = new Held();
    private final Savings savings = new Savings();
    /** Of the step in hand. */
    private int batch;

    private int tokens;
    /** Requests that only look in it. */
    private int looks;
    /** What it was thought to take. */
    private double usualNanos;

    /** Whether anything was known of steps when it was drafted. */
    private boolean judged;
    /** What the best number of draft tokens gains of those whose times are known. */
    private double knownGain;
    /** What it took; 0: unknown, or not comparable. */
    private double tookNanos;

    private int accepted;
    private double draftNanos;
    /** Steps since one was measured. */
    private int untold;

    public MeasuredBudget(StepCosts costs) {
        this.costs = costs;
        this.trials = new Trials(costs, this::gain);
    }

    @Override
    public RequestBudget begin(CostCurve announced) {
        costs.announce(announced);
        return new Request();
    }

    @Override
    public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes) {
        settle();
        untold++;
        looks = 0;
        batch = drafts.size();
        int drafted = Math.min(rank(drafts), most);
        judged = stepsAreKnown();
        int best = judged ? best(drafted) : 0;
        int taken = judged && !costs.foretold() && untold == 1 ? trials.choose(batch, drafted, best, knownGain) : best;
        Arrays.fill(nodes, 0, batch, 0);
        for (int i = 0; i < taken; i++) {
            nodes[savings.request(i)]++;
        }
        tokens = batch + taken;
        usualNanos = costs.measured() ? costs.nanos(batch, tokens) : 0;
    }

    @Override
    public void measured(int stepBatch, int stepTokens, long nanos) {
        learned(stepBatch, stepTokens, nanos);
        if (stepTokens == stepBatch && tokens > batch) {
            trials.notMade();
        }
        tookNanos = stepBatch == batch && stepTokens == tokens ? (double) nanos : 0;
    }

    @Override
    public void measuredUnasked(int stepBatch, int stepTokens, long nanos) {
        double usual = costs.measured() ? costs.nanos(stepBatch, stepTokens) : 0;
        learned(stepBatch, stepTokens, nanos);
        if (usual > 0) {
            earnings.settle(usual, (double) nanos, 0, 0);
        }
    }

    private void learned(int stepBatch, int stepTokens, long nanos) {
        untold = stepBatch == batch ? 0 : untold;
        learn(stepBatch, stepTokens, nanos);
        trials.putAside(earnings.share() * costs.nanos(stepBatch, stepTokens), costs.nanos(stepBatch, stepBatch));
    }

    private void learn(int stepBatch, int stepTokens, long nanos) {
        boolean prepared = shapes.add(stepBatch, stepTokens);
        if (costs.measured()) {
            double most = prepared ? PREPARED_MAX * costs.nanos(stepBatch, stepTokens) : (double) nanos;
            costs.add(stepBatch, stepTokens, Math.round(Math.min((double) nanos, most)));
        } else if (!prepared) {
            trials.begin((double) nanos);
            costs.add(stepBatch, stepTokens, nanos);
        }
    }

    /** Whether any step's time was measured here or is announced. */
    private boolean stepsAreKnown() {
        return costs.measured() || costs.foretold();
    }

    /** The step before is over. */
    private void settle() {
        if (tookNanos > 0 && usualNanos > 0) {
            double plain = costs.nanos(batch, batch);
            double plainNanos = tokens == batch ? 0 : plain * (batch + accepted) / batch;
            double took = earnings.settle(usualNanos, tookNanos, plainNanos, draftNanos);
            trials.settle(usualNanos - took, plain);
        }
        trials.end();
        tookNanos = 0;
        accepted = 0;
        draftNanos = 0;
    }

    /** What a step with so many draft tokens is thought to take. */
    private double nanos(int count) {
        return costs.nanos(batch, batch + count);
    }

    private int rank(List<? extends Draft> drafts) {
        double plain = costs.nanos(batch, batch);
        double row = rowNanos(batch);
        double again = promised == 0 ? 0 : AGAIN * Math.min(1, AGAIN_FULL * verified / promised);
        savings.begin(batch);
        for (int i = 0; i < batch; i++) {
            savings.add(i, drafts.get(i), held, plain / batch + row * rejectedMean, row, again);
        }
        return savings.rank(batch);
    }

    /** Whether the coming step should go without drafts, so that the time of such a one is known. */
    private boolean plainIsDue(int stepBatch) {
        boolean stale = costs.stepsSince(stepBatch, stepBatch) >= PLAIN_STALE
                && (!costs.knows(stepBatch, stepBatch) || costs.stepsSincePlain() >= PLAIN_STALE / 2);
        return stale && !costs.foretold() && untold <= UNTOLD_MAX;
    }

    /** What one more token takes, as a mean over several a request. */
    private double rowNanos(int stepBatch) {
        int more = LOOKED_NODES * stepBatch;
        return (costs.nanos(stepBatch, stepBatch + more) - costs.nanos(stepBatch, stepBatch)) / more;
    }

    /** The least probability that is worth drafting; 0 where much was put aside for trying. */
    private double worth(int stepBatch) {
        double plain = costs.nanos(stepBatch, stepBatch);
        return plain == 0 || trials.affords(TRY_ALL_STEPS * plain)
                ? 0
                : WORTH_MIN * rowNanos(stepBatch) * stepBatch / plain;
    }

    /** What a step with so many draft tokens gains beside one without. */
    private double gain(int count) {
        return savings.of(count) - (nanos(count) - nanos(0));
    }

    private int best(int drafted) {
        int best = 0;
        double bestGain = (GAIN_MIN - 1) * nanos(0);
        knownGain = 0;
        for (int count = 1; count <= drafted; count++) {
            double gain = gain(count);
            if (gain > knownGain && costs.knows(batch, batch + count)) {
                knownGain = gain;
            }
            if (!(gain < bestGain)) {
                bestGain = gain;
                best = count;
            }
        }
        return best;
    }

    /** The mean of all drafts at first, so that one that waited for a disk or a compiler is soon one of many; then of the last ones. */
    private void drafted(long draftNanos) {
        double clipped =
                drafts == 0 ? (double) draftNanos : Math.min((double) draftNanos, DRAFT_OUTLIER * draftNanosMean);
        drafts++;
        draftNanosMean += Math.max(DRAFT_WEIGHT, 1.0 / drafts) * (clipped - draftNanosMean);
    }

    private final class Request implements RequestBudget {
        private double saved;
        private int skip = savedByAll < 0 ? FIRST_LOOK : 0;
        private int skipped;
        private double probabilityMin;

        @Override
        public int draftTokens(int stepBatch, int most) {
            probabilityMin = worth(stepBatch);
            if (plainIsDue(stepBatch)) {
                return 0;
            }
            if (skipped < skip) {
                skipped++;
                return 0;
            }
            return skip > 0 && !mayLook(stepBatch) ? 0 : most;
        }

        @Override
        public void pass() {
            skipped = Math.min(skip, skipped + 1);
        }

        @Override
        public int pause() {
            return skip - skipped;
        }

        private boolean mayLook(int stepBatch) {
            double share = LOOKS_SHARE * costs.nanos(stepBatch, stepBatch);
            boolean may = looks < LOOKS_MAX || (looks + 1) * draftNanosMean <= share;
            looks += may ? 1 : 0;
            return may;
        }

        @Override
        public float probabilityMin() {
            return (float) probabilityMin;
        }

        @Override
        public void learn(Draft draft, int nodes, Verdict verdict, long nanos) {
            if (!judged) {
                return;
            }
            double expected = nodes > 0 ? learn(draft, nodes, verdict) : learn(draft, verdict.tokens()[0]);
            accepted += nodes == 0 ? 0 : verdict.accepted();
            if (draft.size() > 0) {
                double first = draft.probability(0);
                promised += SAVED_WEIGHT_ALL * (first - promised);
                verified += SAVED_WEIGHT_ALL * ((nodes > 0 ? first : 0) - verified);
            }
            rejectedMean += SAVED_WEIGHT_ALL * (Math.max(0, nodes - verdict.accepted()) - rejectedMean);
            drafted(nanos);
            draftNanos += (double) nanos;
            double saving = saving(Math.min(nodes, expected), nodes) - draftNanosMean;
            saved += SAVED_WEIGHT * (saving - saved);
            skipped = 0;
            savedByAll += SAVED_WEIGHT_ALL * (saving - savedByAll);
            skip = saved >= 0 ? 0 : Math.min(skipMax(), Math.max(savedByAll < 0 ? skipWarned() : 1, 2 * skip));
        }

        /** Of nodes that were verified; returns how many were expected to be right. */
        private double learn(Draft draft, int nodes, Verdict verdict) {
            double expected = 0;
            int depth = 0;
            for (int node = 0; node < nodes; node++) {
                boolean right = depth < verdict.accepted() && verdict.acceptedNode(depth) == node;
                depth += right ? 1 : 0;
                expected += held.probability(draft.probability(node));
                held.add(draft.probability(node), right);
            }
            return expected;
        }

        /** What was not verified tells, too: the next token comes anyway. */
        private double learn(Draft draft, int next) {
            double expected = 0;
            for (int node = 0; node < draft.size(); node++) {
                if (draft.parent(node) < 0) {
                    expected += held.probability(draft.probability(node));
                    held.add(draft.probability(node), draft.token(node) == next);
                }
            }
            return expected;
        }

        private int skipWarned() {
            return Math.max(SKIP_WARNED, skipMax() / SKIP_WARNED_PART);
        }

        /** So many steps between two drafts that drafting takes its share of the request's time, and no more. */
        private int skipMax() {
            double stepNanos = costs.nanos(batch, batch) / batch;
            return (int) Math.min(SKIP_MAX, Math.ceil(draftNanosMean / (earnings.share() * stepNanos)));
        }

        /** Time that the expected tokens would have taken, less what verifying this request's nodes added to the step. */
        private double saving(double expectedTokens, int verified) {
            double plain = costs.nanos(batch, batch);
            double added = verified == 0
                    ? 0
                    : (MeasuredBudget.this.nanos(tokens - batch) - plain) * verified / (tokens - batch);
            return expectedTokens * plain / batch - added;
        }
    }
}
