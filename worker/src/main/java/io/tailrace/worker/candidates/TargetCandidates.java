package io.tailrace.worker.candidates;

/**
 * What drafts from the tokens that the target itself finds likely, beside the one it says. It is told them after each verified token, before
 * the step's end. Places are those of the step in hand.
 */
public interface TargetCandidates {
    /** For an engine whose drafts do not look at them. */
    TargetCandidates NONE = new TargetCandidates() {
        @Override
        public int wanted() {
            return 0;
        }

        @Override
        public boolean lacks(int place, int token) {
            return false;
        }

        @Override
        public void told(int place, int token, int[] candidates) {
            // Nobody asked.
        }
    };

    /** How many of the target's likeliest tokens to be told after each verified token; 0: none. Never more than the vocabulary has. */
    int wanted();

    /** Whether nothing is known yet of what the target finds likely after a token, so that it is worth telling in any step. */
    boolean lacks(int place, int token);

    /**
     * Tells the target's likeliest tokens after a token, best first: at every place of the verification, in steps for which the request
     * drafted, and where it {@link #lacks} them.
     *
     * @param token what was verified
     * @param candidates valid during the call
     */
    void told(int place, int token, int[] candidates);
}
