package io.tailrace.worker.engine;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TreeInput;

/** Tells a draft source the target's likeliest tokens after every verified token, if it wants to know. */
final class CandidateFeed {
    private final DraftSource source;
    private final int[] tokens;
    private final float[] logitsOfTokens;

    CandidateFeed(DraftSource source) {
        this.source = source;
        this.tokens = new int[source.candidatesWanted()];
        this.logitsOfTokens = new float[tokens.length];
    }

    void feed(Logits logits, int input, TreeInput verified) {
        if (tokens.length == 0) {
            return;
        }
        for (int node = verified.rowsFrom(); node < verified.size(); node++) {
            logits.top(input, node, tokens, logitsOfTokens);
            source.candidates(verified.tokens()[node], tokens);
        }
    }
}
