package io.tailrace.worker.model;

/** A pass would hold more tokens than the KV cache has room for: close a sequence, or try a smaller pass. */
public final class CacheFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CacheFullException(int wantedTokens, int freeTokens, int cacheTokensMax) {
        super("the pass needs cache for %,d tokens, free are %,d of cacheTokensMax %,d"
                .formatted(wantedTokens, freeTokens, cacheTokensMax));
    }
}
