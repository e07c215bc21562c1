package io.tailrace.worker.engine;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TreeInput;

/** Tells a request's drafts the target's likeliest tokens after every verified token, if their source wants to know. */
final class CandidateFeed {
    private final int[] tokens;
    private final float[] logitsOfTokens;

    CandidateFeed(DraftSource source) {
        this.tokens = new int[source.candidatesWanted()];
        this.logitsOfTokens = new float[tokens.length];
    }

    void feed(Logits logits, int input, TreeInput verified, Drafting drafting) {
        if (tokens.length == 0) {
            return;
        }
        for (int node = verified.rowsFrom(); node < verified.size(); node++) {
            logits.top(input, node, tokens, logitsOfTokens);
            drafting.candidates(verified.tokens()[node], tokens);
        }
    }
}
