package io.tailrace.worker.draftmodel;

/** What uses the time of a verification to prepare the next drafts. */
public interface AheadOfVerification {
    /** For an engine whose drafts are all made when they are asked for. */
    AheadOfVerification NONE = new AheadOfVerification() {
        @Override
        public void verificationBegins(int[] nodes) {
            // Nothing is prepared.
        }

        @Override
        public void verificationEnded() {
            // Nothing was prepared.
        }
    };

    /**
     * The target begins to verify.
     *
     * @param nodes by the step's places: how many nodes of each draft are verified, its first ones
     */
    void verificationBegins(int[] nodes);

    /** The target has verified; what came of it is told next. */
    void verificationEnded();
}
