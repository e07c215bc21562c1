package io.tailrace.client.follow.internal;

import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.utils.ExponentialBackoff;

/**
 * When the version that a lane wants is tried, and which versions could not be loaded: a failed one is tried again after growing pauses, one that is
 * refused never again. Whoever owns it guards it.
 */
final class LoadAttempts {
    private static final ExponentialBackoff BETWEEN = new ExponentialBackoff(200, 2, 30_000, 0);

    private long version;
    private int count;
    private boolean refused;
    /** It was damaged after it had been loaded, and is to be loaded anew. */
    private boolean damaged;

    private long notBeforeMillis;
    /** Above the one that is live. */
    private final Set<Long> unloadable = new HashSet<>();

    /** What is wanted next waits until then. */
    void waitUntil(long millis) {
        notBeforeMillis = millis;
    }

    /** Nothing waits: at once. */
    void hurry() {
        notBeforeMillis = 0;
    }

    /** A version that was damaged while it was served is loaded anew at once, and with growing pauses if it is damaged again. */
    void lookAtDamage(long nowMillis) {
        if (damaged) {
            damaged = false;
            notBeforeMillis = count > 1 ? nowMillis + BETWEEN.backoff(count - 2) : 0;
        }
    }

    /** Begins an attempt, if one is due. */
    boolean begin(long wanted, long nowMillis) {
        if (wanted != version && nowMillis >= notBeforeMillis) {
            version = wanted;
            count = 0;
            refused = false;
        }
        boolean due = nowMillis >= notBeforeMillis && !refused;
        if (due) {
            count++;
        }
        return due;
    }

    /** When the next attempt at this version is due; {@link Long#MAX_VALUE}: never. */
    long dueAtMillis(long wanted) {
        return refused && wanted == version ? Long.MAX_VALUE : notBeforeMillis;
    }

    /** This version is live now. */
    void loaded(long live) {
        unloadable.removeIf(each -> each <= live);
    }

    /** @param retry false: no later attempt can end otherwise */
    void failed(long failed, boolean retry, long nowMillis) {
        unloadable.add(failed);
        if (failed == version) {
            refused = !retry;
            notBeforeMillis = nowMillis + BETWEEN.backoff(count - 1);
        }
    }

    /** A version was found damaged while it was served. */
    void damaged(long live) {
        damaged = live == version;
        if (!damaged) {
            unloadable.add(live);
        }
    }

    /** How often the version that was tried last has been. */
    int count() {
        return count;
    }

    /** Versions that could not be loaded, above the one that is live. */
    Set<Long> unloadable() {
        return unloadable;
    }
}
