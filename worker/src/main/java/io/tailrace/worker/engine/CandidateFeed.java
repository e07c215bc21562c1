package io.tailrace.worker.engine;

import io.tailrace.worker.candidates.TargetCandidates;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TreeInput;

/**
 * Tells a request's drafts the target's likeliest tokens after every verified token, if their source wants to know. A request that drafts
 * nothing in a step, as while it pauses, is spared the reading, but for a token of which nothing is known yet.
 */
final class CandidateFeed {
    private final TargetCandidates candidates;
    private final int[] tokens;
    private final float[] logitsOfTokens;

    CandidateFeed(TargetCandidates candidates, int vocabularySize) {
        this.candidates = candidates;
        this.tokens = new int[Math.min(candidates.wanted(), vocabularySize)];
        this.logitsOfTokens = new float[tokens.length];
    }

    /**
     * Tells what one request's part of a pass gave.
     *
     * @param place of the request in the step
     * @param drafted whether the step had a draft of it, or might have had
     */
    void feed(Logits logits, int input, TreeInput verified, int place, boolean drafted) {
        if (tokens.length == 0) {
            return;
        }
        for (int node = verified.rowsFrom(); node < verified.size(); node++) {
            int token = verified.tokens()[node];
            if (drafted || candidates.lacks(place, token)) {
                logits.top(input, node, tokens, logitsOfTokens);
                candidates.told(place, token, tokens);
            }
        }
    }
}
