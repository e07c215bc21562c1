package io.tailrace.client.verification;

import io.tailrace.suffix.draft.DraftPolicy;

/**
 * What verification said of one draft: the accepted path's nodes, the tokens to emit, and what the step cost. Reused from step
 * to step; allocates nothing after its construction.
 */
public final class Verdict {
    private final int[] acceptedNodes = new int[DraftPolicy.BUDGET_MAX];
    private final int[] tokens = new int[DraftPolicy.BUDGET_MAX + 1];
    private int accepted;
    private int length;
    private boolean finished;
    private int batch;
    private int verifiedTokens;
    private long micros;

    /** Forgets the last verdict. */
    public void clear() {
        accepted = 0;
        length = 0;
        finished = false;
        batch = 0;
        verifiedTokens = 0;
        micros = 0;
    }

    /** Goes on along the accepted path: this node was right. */
    public void accept(int node, int token) {
        if (length != accepted) {
            throw new IllegalStateException("the bonus token is the last one of a verdict");
        }
        acceptedNodes[accepted++] = node;
        tokens[length++] = token;
    }

    /** The model's own token after the accepted path. */
    public void bonus(int token) {
        if (length != accepted) {
            throw new IllegalStateException("a verdict has at most one bonus token");
        }
        tokens[length++] = token;
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
        return accepted;
    }

    /** The draft node accepted at a depth, 0 to {@code accepted() - 1}. */
    public int acceptedNode(int depth) {
        return acceptedNodes[depth];
    }

    /** Accepted tokens, then the bonus token if there is one; valid up to {@link #length}. */
    public int[] tokens() {
        return tokens;
    }

    public int length() {
        return length;
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
