package io.tailrace.operators.admission;

import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.learn.TokenReference;
import java.util.Arrays;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * An admitted generation on its way to its shard, which knows repeats, quotas and deletes: only what the shard takes in is watched and
 * evaluated. The prompt travels with the sampled share alone.
 *
 * @param responseFrom where its response begins among its tokens; before is the prompt of a scope that opted in
 * @param replica which of the lane's evaluators it goes to
 * @param prompt the last tokens of the prompt, none where it is not known; null: it is not sampled
 */
public record OfferedGeneration(AdmittedGeneration generation, int responseFrom, int replica, int[] prompt) {
    /** The side output of admission of lanes that no snapshot is known of yet: the {@link LaneRegister} says whether there is a place. */
    public static final OutputTag<OfferedGeneration> OF_NEW_LANES =
            new OutputTag<>("lane-arrivals", TypeInformation.of(OfferedGeneration.class));

    /** What the stream is keyed by from here on. */
    public String shardKey() {
        return generation.shardKey();
    }

    /** What drift is watched by. */
    public DriftWatch.Observation observation() {
        return DriftWatch.Observation.ofTokens(generation.lane(), TokenReference.sketch(response(Integer.MAX_VALUE)));
    }

    public boolean isSampled() {
        return prompt != null;
    }

    /** What is evaluated of one that is sampled. */
    public EvaluationSample sample() {
        return new EvaluationSample(
                generation.lane(),
                replica,
                generation.completedAt(),
                prompt,
                response(EvaluationSample.RESPONSE_TOKENS_MAX),
                generation.partition(),
                generation.offset());
    }

    private int[] response(int tokensMax) {
        int[] tokens = generation.tokens();
        int length = Math.min(tokens.length - responseFrom, tokensMax);
        return length == tokens.length ? tokens : Arrays.copyOfRange(tokens, responseFrom, responseFrom + length);
    }
}
