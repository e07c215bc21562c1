package io.tailrace.client.follow.internal;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.kafka.common.utils.ExponentialBackoff;

/**
 * When the version that a lane wants is tried, and which others may be. One that is refused is never tried again. The wanted one is, after growing pauses;
 * with each such attempt some of the others that failed may be tried again, too, once each that had not failed was tried. Whoever owns it guards it.
 */
final class LoadAttempts {
    /** So many of those that failed are tried again at a time, longest ago first: a store that is away is not asked for all of them. */
    static final int AGAIN_MAX = 8;

    private static final ExponentialBackoff BETWEEN = new ExponentialBackoff(200, 2, 30_000, 0);

    private long version;
    private int count;
    /** It was damaged after it had been loaded, and is to be loaded anew. */
    private boolean damaged;

    private long notBeforeMillis;
    /** Above the version that is live, longest ago first. */
    private final Set<Long> failed = new LinkedHashSet<>();

    private final Set<Long> refused = new HashSet<>();

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

    /**
     * Begins an attempt, if one is due.
     *
     * @param allTried there is no other version that may be tried
     */
    boolean begin(long wanted, long nowMillis, boolean allTried) {
        if (nowMillis < notBeforeMillis) {
            return false;
        }
        count = wanted == version ? count + 1 : 1;
        version = wanted;
        if (allTried) {
            failed.removeAll(failed.stream().limit(AGAIN_MAX).toList());
        }
        return true;
    }

    /** When the next attempt at the version that is wanted is due. */
    long dueAtMillis() {
        return notBeforeMillis;
    }

    /** This version is live now. */
    void loaded(long live) {
        failed.removeIf(each -> each <= live);
    }

    /** @param retry false: no later attempt can end otherwise */
    void failed(long version, boolean retry, long nowMillis) {
        (retry ? failed : refused).add(version);
        if (retry && version == this.version) {
            notBeforeMillis = nowMillis + BETWEEN.backoff(count - 1);
        }
    }

    /** A version was found damaged while it was served. */
    void damaged(long live) {
        damaged = live == version;
        if (!damaged) {
            failed.add(live);
        }
    }

    /** A manifest of this version came: whatever was said of an earlier one. */
    void announced(long version) {
        failed.remove(version);
        refused.remove(version);
    }

    void forgetAllBut(Set<Long> versions) {
        failed.retainAll(versions);
        refused.retainAll(versions);
    }

    /** How often the version that was tried last has been. */
    int count() {
        return count;
    }

    boolean hasFailed(long version) {
        return failed.contains(version);
    }

    boolean isRefused(long version) {
        return refused.contains(version);
    }

    /** It was not refused, and has not failed, or long ago. */
    boolean mayBeTried(long version) {
        return !failed.contains(version) && !refused.contains(version);
    }
}
