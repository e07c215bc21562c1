package io.tailrace.lab.load;

import io.tailrace.client.verification.Verdict;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.suffix.draft.Draft;

/**
 * Verifies against the recorded answer: the accepted path is the one that spells what the model really said. Greedy
 * verification by a model does exactly this, so steps and acceptance are real; the time of a step is simulated.
 */
public final class RecordedVerifier implements Verifier<RecordedRequest> {
    /** The worker class of simulated step times; such times never mix with measured ones. */
    public static final String WORKER_CLASS = "replay-simulated";

    private final SimulatedStepTime stepTime;

    public RecordedVerifier(SimulatedStepTime stepTime) {
        this.stepTime = stepTime;
    }

    @Override
    public VerifierSession begin(RecordedRequest request) {
        return new Session(request.response());
    }

    @Override
    public void close() {
        // Nothing is shared between sessions.
    }

    private final class Session implements VerifierSession {
        private final int[] truth;
        private int position;

        Session(int[] truth) {
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

        @Override
        public void close() {
            // A place in an array needs no freeing.
        }
    }
}
