package io.tailrace.lab.recorded;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What requests that name a parent go on from: the end of each earlier request's full prompt and response, cut to the tokens
 * a prompt may have. Bounded by a number of tokens; those used longest ago are forgotten first.
 */
final class PromptChains {
    private final int promptTokensMax;
    private final long chainTokensMax;
    private final Map<String, Tail> tails = new LinkedHashMap<>(64, 0.75f, true);
    private long keptTokens;

    /** The end of a conversation so far, and its full length. */
    record Tail(int[] tokens, int fullLength) {
        static final Tail EMPTY = new Tail(new int[0], 0);
    }

    PromptChains(int promptTokensMax, long chainTokensMax) {
        this.promptTokensMax = promptTokensMax;
        this.chainTokensMax = chainTokensMax;
    }

    /** Null if there was no such request, or it is forgotten. */
    Tail tail(String id) {
        return tails.get(id);
    }

    /** The tail, gone on by {@code tokens}. */
    Tail extend(Tail tail, int[] tokens) {
        int kept = Math.min(promptTokensMax, tail.tokens().length + tokens.length);
        int[] end = new int[kept];
        int fromTokens = Math.min(kept, tokens.length);
        int fromTail = kept - fromTokens;
        System.arraycopy(tail.tokens(), tail.tokens().length - fromTail, end, 0, fromTail);
        System.arraycopy(tokens, tokens.length - fromTokens, end, fromTail, fromTokens);
        return new Tail(end, tail.fullLength() + tokens.length);
    }

    void put(String id, Tail tail) {
        Tail before = tails.put(id, tail);
        keptTokens += tail.tokens().length - (before == null ? 0 : before.tokens().length);
        Iterator<Tail> oldest = tails.values().iterator();
        while (keptTokens > chainTokensMax && oldest.hasNext()) {
            keptTokens -= oldest.next().tokens().length;
            oldest.remove();
        }
    }

    void clear() {
        tails.clear();
        keptTokens = 0;
    }
}
