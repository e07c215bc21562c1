package io.tailrace.lab.load;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;

/**
 * Verifies one request against its recorded answer: the accepted path is the one that spells what the model really said. Greedy
 * verification by a model does exactly this, so steps and acceptance are real; the time of a step is simulated.
 */
public final class RecordedVerifier implements RequestDecoder.Verifier {
    /** The worker class of simulated step times; such times never mix with measured ones. */
    public static final String WORKER_CLASS = "replay-simulated";

    private final StepTime stepTime;
    private final int[] truth;
    private int position;

    /** @param truth the recorded answer */
    public RecordedVerifier(StepTime stepTime, int[] truth) {
        this.stepTime = stepTime;
        this.truth = truth;
    }

    @Override
    public void verify(Draft draft, Verdict into) {
        if (position >= truth.length) {
            throw new IllegalStateException("the request has ended after " + truth.length + " tokens");
        }
        into.walk(draft, truth, position);
        position += into.length();
        if (position == truth.length) {
            into.finish();
        }
        int verifiedTokens = draft.size() + 1;
        into.cost(1, verifiedTokens, stepTime.micros(verifiedTokens));
    }

    /**
     * A straight line for what a verification would cost: {@code baseMicros + microsPerToken * verified tokens}. Simulated, never
     * measured; it only gives the cost curve something to be fitted to where no model runs.
     *
     * @param baseMicros cost of a step, whatever it verifies
     * @param microsPerToken cost of each verified token
     */
    public record StepTime(long baseMicros, long microsPerToken) {
        public StepTime {
            if (baseMicros < 0 || microsPerToken < 0) {
                throw new IllegalArgumentException("baseMicros and microsPerToken must not be negative, got %d and %d"
                        .formatted(baseMicros, microsPerToken));
            }
        }

        /** 15 ms a step and 50 us a token: the order of an 8B model at batch 1 on one GPU. */
        public static StepTime defaults() {
            return new StepTime(15_000, 50);
        }

        public long micros(int verifiedTokens) {
            return baseMicros + microsPerToken * verifiedTokens;
        }
    }
}
