package io.tailrace.lab.weights;

import io.tailrace.lab.replay.OnlineReplay;
import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.lab.replay.ReplayLane;
import io.tailrace.lab.replay.ReplayStream;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Trains mixer weights: one mixer serves all streams in turn, a request of each, every stream with a lane of its own that
 * starts empty, so that it meets both cold and warm lanes. The result is the mean of the weights over the last third of the
 * rounds.
 *
 * <p>To measure on the streams that there are, streams are dealt into {@value #FOLDS} folds: the weights for a stream are
 * trained on the streams of the other folds.
 */
public final class WeightTraining {
    public static final int FOLDS = 4;
    private static final int BUDGET = 16;

    private final DraftPolicy policy = new DraftPolicy(true, BUDGET, 0.003f, 0, new float[0]);
    private final int requestsMax;
    private final LongConsumer progress;

    /**
     * A training.
     *
     * @param requestsMax most requests of each stream, from its start
     * @param progress told the response tokens of each request it has learned from
     */
    public WeightTraining(int requestsMax, LongConsumer progress) {
        this.requestsMax = requestsMax;
        this.progress = progress;
    }

    /** Weights learned from these streams alone. */
    public float[] train(List<ReplayStream> streams) {
        Mixer mixer = Mixer.untrained();
        AdaptiveDrafter drafter = new AdaptiveDrafter(mixer, policy);
        List<ReplayLane> lanes =
                streams.stream().map(stream -> new ReplayLane()).collect(Collectors.toList());
        int rounds = streams.stream().mapToInt(this::requests).max().orElse(0);
        double[] sum = new double[mixer.weights().length];
        int summed = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < lanes.size(); i++) {
                serve(drafter, streams.get(i), round, lanes.get(i));
            }
            if (round >= rounds - Math.max(1, rounds / 3)) {
                add(mixer.weights(), sum);
                summed++;
            }
        }
        return mean(sum, summed);
    }

    /** The streams that are not in the fold of the {@code number}-th. */
    public static List<ReplayStream> others(List<ReplayStream> streams, int number) {
        List<ReplayStream> others = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            if (i % FOLDS != number % FOLDS) {
                others.add(streams.get(i));
            }
        }
        return others;
    }

    /** Response tokens that training for every fold goes through, at most so many requests of each stream. */
    public static long heldOutTokens(List<ReplayStream> streams, int requestsMax) {
        long tokens = 0;
        for (int fold = 0; fold < Math.min(FOLDS, streams.size()); fold++) {
            tokens += others(streams, fold).stream()
                    .flatMap(stream -> stream.cases().stream().limit(requestsMax))
                    .mapToLong(request -> request.response().length)
                    .sum();
        }
        return tokens;
    }

    private int requests(ReplayStream stream) {
        return Math.min(requestsMax, stream.cases().size());
    }

    private void serve(AdaptiveDrafter drafter, ReplayStream stream, int round, ReplayLane lane) {
        if (round < requests(stream)) {
            ReplayCase request = stream.cases().get(round);
            OnlineReplay.decode(drafter, request, lane.index(), BUDGET);
            lane.add(request.answer());
            progress.accept(request.response().length);
        }
    }

    private static void add(float[] weights, double[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += weights[i];
        }
    }

    private static float[] mean(double[] sum, int summed) {
        float[] mean = new float[sum.length];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = summed == 0 ? 0 : (float) (sum[i] / summed);
        }
        return mean;
    }
}
