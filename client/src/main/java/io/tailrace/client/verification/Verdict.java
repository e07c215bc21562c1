package io.tailrace.client.verification;

import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.Draft;

/**
 * What verification said of one draft: the accepted path's nodes, the tokens to emit, and what the step cost. Reused from step
 * to step; allocates nothing after its construction.
 */
public final class Verdict {
    private final AcceptedPath path = new AcceptedPath();
    private boolean finished;
    private int batch;
    private int verifiedTokens;
    private long micros;

    /** Follows the truth down a draft; the last verdict is forgotten. */
    public void walk(Draft draft, AcceptedPath.Truth truth) {
        forgetStep();
        path.walk(draft, truth);
    }

    /** The same for a text that is known, from a position on. */
    public void walk(Draft draft, int[] truth, int at) {
        forgetStep();
        path.walk(draft, truth, at);
    }

    private void forgetStep() {
        finished = false;
        batch = 0;
        verifiedTokens = 0;
        micros = 0;
    }

    /** The request ends with these tokens. */
    public void finish() {
        finished = true;
    }

    /**
     * Says what the step cost.
     *
     * @param batchRequests requests in the verified batch
     * @param tokensVerified of the whole step: one for each request and their draft tokens
     * @param stepMicros time of the step, in microseconds
     */
    public void cost(int batchRequests, int tokensVerified, long stepMicros) {
        batch = batchRequests;
        verifiedTokens = tokensVerified;
        micros = stepMicros;
    }

    /** Draft tokens accepted. */
    public int accepted() {
        return path.accepted();
    }

    /** The draft node accepted at a depth, 0 to {@code accepted() - 1}. */
    public int acceptedNode(int depth) {
        return path.node(depth);
    }

    /** Accepted tokens, then the bonus token if there is one; valid up to {@link #length}. */
    public int[] tokens() {
        return path.tokens();
    }

    public int length() {
        return path.length();
    }

    public boolean finished() {
        return finished;
    }

    public int batch() {
        return batch;
    }

    public int verifiedTokens() {
        return verifiedTokens;
    }

    public long micros() {
        return micros;
    }
}
