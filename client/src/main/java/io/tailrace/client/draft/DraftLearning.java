package io.tailrace.client.draft;

/**
 * What a request's drafts have taught.
 *
 * @param logLoss of the mixer's predictions, in nats, summed over {@code predictions}
 * @param predictions places at which it is known what came
 */
public record DraftLearning(double logLoss, long predictions) {
    /** Nothing learns. */
    public static final DraftLearning NONE = new DraftLearning(0, 0);

    public DraftLearning {
        if (predictions < 0) {
            throw new IllegalArgumentException("predictions must be at least 0, got " + predictions);
        }
    }

    public DraftLearning plus(DraftLearning other) {
        return new DraftLearning(logLoss + other.logLoss, predictions + other.predictions);
    }
}
