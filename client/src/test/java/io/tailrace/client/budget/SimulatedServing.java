package io.tailrace.client.budget;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPrefix;
import io.tailrace.suffix.draft.SourceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A batch of requests decoded against simulated times: chains whose nodes are right as often as their probabilities say, steps
 * that cost what a curve says times noise. Times that count are those without noise.
 */
final class SimulatedServing {
    static final int CHAIN = 16;
    private static final long DRAFT_NANOS = 10_000;

    private static final int OTHER = 1_000;

    private final Verdict verdict = new Verdict();
    private final DraftPrefix verified = new DraftPrefix();
    private final Random random;
    private final BudgetChoice choice;
    private final CostCurve announced;
    private final Curve curve;
    private final double noise;
    private long measured;
    private long tokensDone;
    private long draftNanos = DRAFT_NANOS;
    private int draftsMost;
    private int stepsDone;
    private int unasked;
    private int slowStep = -1;
    private double slowTimes;

    /** Nanoseconds of a step that verifies so many tokens. */
    interface Curve {
        double nanos(int tokens);
    }

    /** What requests took, and what plain decoding would have taken. */
    record Result(double nanos, double plainNanos) {
        double ratio() {
            return plainNanos / nanos;
        }
    }

    SimulatedServing(long seed, BudgetChoice choice, Curve curve, double noise) {
        this(seed, choice, CostCurve.UNKNOWN, curve, noise);
    }

    /** With what the fleet says of steps. */
    SimulatedServing(long seed, BudgetChoice choice, CostCurve announced, Curve curve, double noise) {
        this.announced = announced;
        this.random = new Random(seed);
        this.choice = choice;
        this.curve = curve;
        this.noise = noise;
    }

    /** One step, counted from 0, is measured so many times as long as it is. */
    SimulatedServing slow(int step, double times) {
        slowStep = step;
        slowTimes = times;
        return this;
    }

    /** After each step so many follow in which nobody asks. */
    SimulatedServing unasked(int steps) {
        unasked = steps;
        return this;
    }

    /** A draft for a request of its own; the request's budget lets it draft. */
    Draft drafted(RequestBudget request) {
        int most = request.draftTokens(1, CHAIN);
        Draft draft = new Chain(most, 0.5);
        choice.trim(List.of(draft), List.of(request), 0, new int[1]);
        return draft;
    }

    /** A draft of which nothing was right. */
    void inVain(RequestBudget request, Draft draft) {
        choice.measured(1, 1, Math.round(curve.nanos(1)));
        learn(request, draft, 0, 0);
    }

    /** The next draft takes so long, those after it as usual. */
    void nextDraftTakes(long nanos) {
        draftNanos = nanos;
    }

    /** Most requests that a step has drafted for since the last call. */
    int draftsMost() {
        int most = draftsMost;
        draftsMost = 0;
        return most;
    }

    /** Decodes {@code batch} requests at once; each next token is right with probability {@code right} at each depth. */
    Result serve(int batch, int tokensEach, double right) {
        return serve(batch, tokensEach, right, right);
    }

    /** As above, with drafts that say they are right with another probability. */
    Result serve(int batch, int tokensEach, double right, double claimed) {
        List<RequestBudget> requests = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
            requests.add(choice.begin(announced));
        }
        double nanos = 0;
        long before = tokensDone;
        while (tokensDone - before < (long) batch * tokensEach) {
            nanos += step(batch, requests, right, claimed);
        }
        return new Result(nanos, (double) (tokensDone - before) / batch * curve.nanos(batch));
    }

    /** Serves steps of requests that come and go, one more in each, from the fewest to the most and anew; returns the share of steps that drafts for nobody. */
    double undrafted(int fewest, int most, int steps, double right) {
        List<RequestBudget> requests = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            requests.add(choice.begin(announced));
        }
        int undrafted = 0;
        for (int step = 0; step < steps; step++) {
            draftsMost = 0;
            step(fewest + step % (most - fewest + 1), requests, right, right);
            undrafted += draftsMost == 0 ? 1 : 0;
        }
        return (double) undrafted / steps;
    }

    private double step(int batch, List<RequestBudget> requests, double right, double claimed) {
        List<Draft> drafts = new ArrayList<>();
        double nanos = 0;
        int drafted = 0;
        for (int i = 0; i < batch; i++) {
            int most = requests.get(i).draftTokens(batch, CHAIN);
            drafts.add(new Chain(most, claimed));
            nanos += most > 0 ? (double) draftNanos : 0;
            drafted += most > 0 ? 1 : 0;
        }
        draftsMost = Math.max(draftsMost, drafted);
        int[] nodes = new int[batch];
        choice.trim(drafts, requests.subList(0, batch), Integer.MAX_VALUE, nodes);
        int tokens = batch + Arrays.stream(nodes).sum();
        nanos += curve.nanos(tokens);
        choice.measured(batch, tokens, Math.round(curve.nanos(tokens) * disturbance()));
        for (int i = 0; i < batch; i++) {
            int accepted = 0;
            while (accepted < nodes[i] && random.nextDouble() < right) {
                accepted++;
            }
            tokensDone += accepted + 1;
            if (drafts.get(i).size() > 0) {
                boolean next = nodes[i] == 0 && random.nextDouble() < right;
                learn(requests.get(i), drafts.get(i), nodes[i], next ? 1 : accepted);
            }
        }
        for (int i = 0; i < unasked; i++) {
            nanos += curve.nanos(batch);
            tokensDone += batch;
            choice.measuredUnasked(batch, batch, Math.round(curve.nanos(batch) * disturbance()));
            requests.forEach(RequestBudget::pass);
        }
        return nanos;
    }

    private void learn(RequestBudget request, Draft draft, int nodes, int right) {
        verdict.walk(verified.of(draft, nodes), (node, depth) -> depth < right ? draft.token(depth) : OTHER);
        request.learn(draft, nodes, verdict, draftNanos);
        draftNanos = DRAFT_NANOS;
    }

    /** Slow minutes in turn with quick ones, jitter, and now and then a long pause. */
    private double disturbance() {
        if (stepsDone++ == slowStep) {
            return slowTimes;
        }
        if (noise == 0) {
            return 1;
        }
        double load = measured++ / 500 % 3 == 0 ? 2 : 1;
        double pause = random.nextInt(40) == 0 ? 4 : 1;
        return load * pause * Math.exp(noise * random.nextGaussian());
    }

    /** A draft that goes on in one line. */
    record Chain(int size, double right) implements Draft {
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
            return (float) Math.pow(right, node + 1);
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
}
