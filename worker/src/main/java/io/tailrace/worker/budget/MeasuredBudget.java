package io.tailrace.worker.budget;

import io.tailrace.suffix.draft.Draft;
import java.util.Arrays;
import java.util.List;

/**
 * Verifies what pays: the number of draft tokens that gives the most tokens a second, by the step times measured here and by
 * the drafts' own probabilities, set right by how they have held.
 *
 * <p><b>Which nodes.</b> A step yields one token a request plus, in expectation, the sum of its verified nodes' probabilities,
 * and costs what {@link StepCosts} says. Nodes of all requests compete: the likeliest first, as many as maximise yield by
 * time. A draft's prefix is its likeliest part, since drafts grow best-first.
 *
 * <p><b>Whether to draft.</b> Drafting takes time itself, which pays only if drafts then save it. Each request keeps a running
 * mean of what a draft saved; while it is negative, steps go without drafts, twice as many after each further disappointment, up
 * to {@value #SKIP_MAX}: little is lost, and a request that begins to repeat itself is noticed. A new request begins with
 * what the ones before it had.
 *
 * <p><b>Staying informed.</b> A batch size whose plain step was not measured for {@value #PLAIN_EVERY} steps gets one, so that
 * drafts are compared with how fast plain decoding is now.
 *
 * <p>Cost: a pass over the drafted nodes; nothing is allocated once the arrays have grown.
 */
public final class MeasuredBudget implements BudgetChoice {
    static final int SKIP_MAX = 64;
    static final int PLAIN_EVERY = 256;
    private static final double SAVED_WEIGHT = 1.0 / 8;
    private static final double SAVED_WEIGHT_SHARED = 1.0 / 128;

    private final StepCosts costs;
    private final Trust trust = new Trust(null);
    private final long[] plainAt = new long[StepCosts.BATCH_MAX + 1];
    private long steps;
    private double savedShared;
    private int skipShared;
    private int[] order = new int[256];
    /** Of the step in hand. */
    private int batch;

    private int tokens;

    public MeasuredBudget(StepCosts costs) {
        this.costs = costs;
        Arrays.fill(plainAt, -PLAIN_EVERY);
    }

    @Override
    public RequestBudget begin() {
        return new Request();
    }

    @Override
    public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int[] nodes) {
        batch = drafts.size();
        int best = 0;
        int taken = 0;
        double yield = batch;
        double bestRate = yield / costs.nanos(batch, batch);
        Arrays.fill(nodes, 0, batch, 0);
        for (int next = likeliest(drafts, requests, nodes); next >= 0; next = likeliest(drafts, requests, nodes)) {
            yield += probability(drafts.get(next), requests.get(next), nodes[next]++);
            remember(taken++, next);
            double rate = yield / costs.nanos(batch, batch + taken);
            if (!(rate < bestRate)) {
                bestRate = rate;
                best = taken;
            }
        }
        Arrays.fill(nodes, 0, batch, 0);
        for (int i = 0; i < best; i++) {
            nodes[order[i]]++;
        }
        tokens = batch + best;
    }

    @Override
    public void measured(int stepBatch, int stepTokens, long nanos) {
        steps++;
        costs.add(stepBatch, stepTokens, nanos);
        if (stepTokens == stepBatch) {
            plainAt[Math.min(stepBatch, StepCosts.BATCH_MAX)] = steps;
        }
    }

    private void remember(int place, int request) {
        if (place == order.length) {
            order = Arrays.copyOf(order, 2 * place);
        }
        order[place] = request;
    }

    /** The request whose next node is the likeliest, or -1 if all are taken. */
    private static int likeliest(List<? extends Draft> drafts, List<RequestBudget> requests, int[] nodes) {
        int found = -1;
        double best = -1;
        for (int i = 0; i < drafts.size(); i++) {
            if (nodes[i] < drafts.get(i).size()) {
                double probability = probability(drafts.get(i), requests.get(i), nodes[i]);
                if (probability > best) {
                    best = probability;
                    found = i;
                }
            }
        }
        return found;
    }

    private static double probability(Draft draft, RequestBudget request, int node) {
        return Math.min(1, draft.probability(node) * ((Request) request).trust.factor());
    }

    private final class Request implements RequestBudget {
        private final Trust trust = new Trust(MeasuredBudget.this.trust);
        private double saved = savedShared;
        private int skip = skipShared;
        private int skipped;

        @Override
        public int draftTokens(int stepBatch, int most) {
            if (steps - plainAt[Math.min(stepBatch, StepCosts.BATCH_MAX)] >= PLAIN_EVERY) {
                return 0;
            }
            if (skip > 0 && skipped < skip) {
                skipped++;
                return 0;
            }
            return most;
        }

        @Override
        public void verified(float expected, int verified, int accepted, long draftNanos) {
            trust.add(expected, accepted);
            MeasuredBudget.this.trust.add(expected, accepted);
            double saving = saving(Math.min(verified, expected * trust.factor()), verified) - draftNanos;
            saved += SAVED_WEIGHT * (saving - saved);
            savedShared += SAVED_WEIGHT_SHARED * (saving - savedShared);
            skipped = 0;
            skip = saved >= 0 ? 0 : Math.min(SKIP_MAX, Math.max(1, 2 * skip));
            skipShared = savedShared >= 0 ? 0 : Math.min(SKIP_MAX, Math.max(skipShared, skip));
        }

        /** Time that the expected tokens would have taken, less what verifying this request's nodes added to the step. */
        private double saving(double expectedTokens, int verified) {
            double plain = costs.nanos(batch, batch);
            double added = verified == 0 ? 0 : (costs.nanos(batch, tokens) - plain) * verified / (tokens - batch);
            return expectedTokens * plain / batch - added;
        }
    }
}
