package io.tailrace.operators.learning;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.operators.signals.EvaluationSampling;
import java.io.Serializable;

/**
 * How policies are made.
 *
 * @param proposeMillis least time between two candidates
 * @param proposeEvidence labelled places that must have come since the last one
 * @param priorEvidence how many labelled places the product's default weights are worth
 * @param replicas of a lane's evaluation; what others reported, when there were more, is not used any more
 */
public record LearningOptions(long proposeMillis, long proposeEvidence, long priorEvidence, int replicas)
        implements Serializable {
    public LearningOptions {
        require(proposeMillis >= 0, "proposeMillis must be >= 0, got %d", proposeMillis);
        require(proposeEvidence >= 1, "proposeEvidence must be >= 1, got %d", proposeEvidence);
        require(priorEvidence >= 0, "priorEvidence must be >= 0, got %d", priorEvidence);
        require(replicas >= 1, "replicas must be >= 1, got %d", replicas);
    }

    /** A minute, 5,000 places, worth 1,000, two replicas. */
    public static LearningOptions defaults() {
        return new LearningOptions(
                60_000, 5_000, 1_000, EvaluationSampling.defaults().replicas());
    }
}
