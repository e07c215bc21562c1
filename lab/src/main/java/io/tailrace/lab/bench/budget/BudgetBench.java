package io.tailrace.lab.bench.budget;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.internal.AdaptiveMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.lab.load.RequestDecoder;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.replay.ReplayLane;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Decodes recorded requests, one at a time, with a simulated clock. Each answer joins the lane when it is complete. */
final class BudgetBench {
    private static final long SEED = 7;
    /** One step in so many takes twice its time, as where something else runs on the machine. */
    private static final int BURST_STEPS = 40;

    private final StepCost cost;
    private final double noise;
    private final int budget;

    /**
     * What a step takes.
     *
     * @param baseNanos whatever it verifies
     * @param rowNanos for each token that it computes: draft tokens and the one before them
     */
    record StepCost(long baseNanos, long rowNanos) {
        long nanos(int rows) {
            return baseNanos + rowNanos * rows;
        }
    }

    /**
     * What a run came to.
     *
     * @param nanos simulated, without noise
     */
    record Run(long nanos, long tokens, long steps, long drafted) {
        double tokensPerStep() {
            return (double) tokens / steps;
        }

        double draftedPerStep() {
            return (double) drafted / steps;
        }
    }

    /**
     * @param noise of measured times, the standard deviation of their logarithm; 0: none, and no bursts
     * @param budget most draft tokens a step
     */
    BudgetBench(StepCost cost, double noise, int budget) {
        this.cost = cost;
        this.noise = noise;
        this.budget = budget;
    }

    /** Decodes requests by a budget that begins anew; the lane knows the answers before them. */
    Run run(List<RecordedRequest> known, List<RecordedRequest> asked, Supplier<BudgetChoice> budgets) {
        ReplayLane lane = new ReplayLane();
        known.forEach(request -> lane.add(request.response()));
        LiveSnapshot live = new LiveSnapshot(snapshot(0, LaneIndex.EMPTY));
        LaneDrafts drafts =
                new LaneDrafts("adaptive", scope -> live, new LaneMakers(1, () -> new AdaptiveMaker(true, false)));
        RequestDecoder decoder = new RequestDecoder(budget, nanos -> {}, "", budgets);
        Random random = new Random(SEED);
        long[] nanos = {0};
        long tokens = 0;
        long steps = 0;
        long drafted = 0;
        long version = 0;
        for (RecordedRequest request : asked) {
            live.swap(snapshot(++version, lane.index()));
            DecodeTally tally = decoder.decode(
                            request.prompt(),
                            verifier(request.response(), random, nanos),
                            drafts,
                            live,
                            RequestDecoder.Sources.SHARED)
                    .tally();
            tokens += request.response().length;
            steps += tally.steps();
            drafted += tally.drafted();
            lane.add(request.response());
        }
        return new Run(nanos[0], tokens, steps, drafted);
    }

    private RequestDecoder.Verifier verifier(int[] truth, Random random, long[] nanos) {
        int[] said = {0};
        return (draft, into) -> {
            into.walk(draft, truth, said[0]);
            said[0] += into.length();
            if (said[0] == truth.length) {
                into.finish();
            }
            int rows = draft.size() + 1;
            long step = cost.nanos(rows);
            nanos[0] += step;
            into.cost(1, rows, Math.round(step * disturbance(random)));
        };
    }

    private double disturbance(Random random) {
        return noise == 0 ? 1 : Math.exp(noise * random.nextGaussian()) * (random.nextInt(BURST_STEPS) == 0 ? 2 : 1);
    }

    private static LoadedSnapshot snapshot(long version, LaneIndex index) {
        return new LoadedSnapshot(version, DraftPolicy.unannounced(), index, () -> {});
    }
}
