package io.tailrace.client.draft.internal;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the contexts of drafters may take together: each drafter indexes its request's whole context, and many long ones would be more than a process's
 * memory. Beside its context a drafter has tables of its own and copies of similar answers. Where there is no room for both, its request runs without drafts. What running requests say is counted, and never refused. A drafter
 * that waits for another request keeps its arrays, and so its room; those of all models and engines keep a quarter of it at most. Safe for any number
 * of threads.
 */
final class ContextRoom {
    private static final Logger LOG = LoggerFactory.getLogger(ContextRoom.class);
    /** What a {@link io.tailrace.suffix.ContextAutomaton} takes for each token of texts, where its arrays have just grown. */
    private static final int TOKEN_BYTES = 128;

    /** So many tokens' worth a drafter takes beside its context: half a megabyte. */
    private static final int DRAFTER_TOKENS = 4_096;

    private static final int HEAP_SHARE = 2;
    /** So much of the room may be kept by drafters that wait for a request. */
    private static final int IDLE_SHARE = 4;

    private static final long SAY_NANOS = 60_000_000_000L;
    private static final ContextRoom OF_PROCESS =
            new ContextRoom(Runtime.getRuntime().maxMemory() / HEAP_SHARE / TOKEN_BYTES, DRAFTER_TOKENS);

    private final long tokensMax;
    private final int drafterTokens;
    private final AtomicLong tokens = new AtomicLong();
    /** Of these, those of drafters that wait. */
    private final AtomicLong idle = new AtomicLong();

    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong saidNanos = new AtomicLong(System.nanoTime() - SAY_NANOS);

    /**
     * Room for so much.
     *
     * @param tokensMax of all contexts together, and of what drafters take beside them
     * @param drafterTokens what each drafter takes beside its context
     */
    ContextRoom(long tokensMax, int drafterTokens) {
        this.tokensMax = tokensMax;
        this.drafterTokens = drafterTokens;
    }

    /** Half of this process's heap, for all its models and engines. */
    static ContextRoom ofProcess() {
        return OF_PROCESS;
    }

    /** What a drafter needs for a context of so many tokens. */
    int ofDrafter(int contextTokens) {
        return contextTokens + drafterTokens;
    }

    /** Takes room for so much, if there is some. */
    boolean take(int count) {
        if (tokens.addAndGet(count) <= tokensMax) {
            return true;
        }
        tokens.addAndGet(-count);
        return false;
    }

    /** A context that has room has grown. */
    void grow(int count) {
        tokens.addAndGet(count);
    }

    void giveBack(int count) {
        tokens.addAndGet(-count);
    }

    /** Whether a drafter may wait for another request with the room that it has; if so, {@link #awaken} when it waits no more. */
    boolean letWait(int count) {
        if (idle.addAndGet(count) <= tokensMax / IDLE_SHARE) {
            return true;
        }
        idle.addAndGet(-count);
        return false;
    }

    /** One that waited serves again, or gives its room back. */
    void awaken(int count) {
        idle.addAndGet(-count);
    }

    /** Tokens of all contexts that have room. */
    long tokens() {
        return tokens.get();
    }

    /**
     * What the drafter of the longest context takes that may wait for another request: its arrays stay as large.
     *
     * @param idleMax drafters that wait at most
     */
    long idleTokensMax(int idleMax) {
        return drafterTokens + tokensMax / IDLE_SHARE / idleMax;
    }

    /** A request of so many tokens runs without drafts. */
    void refused(int count) {
        long requests = refused.incrementAndGet();
        long said = saidNanos.get();
        long now = System.nanoTime();
        if (now - said >= SAY_NANOS && saidNanos.compareAndSet(said, now)) {
            LOG.warn(
                    "a request of {} tokens runs without drafts, {} so far: contexts have {} tokens, this heap has room for {}",
                    count,
                    requests,
                    tokens(),
                    tokensMax);
        }
    }
}
