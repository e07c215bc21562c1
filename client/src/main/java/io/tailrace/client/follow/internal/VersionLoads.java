package io.tailrace.client.follow.internal;

import io.tailrace.schemas.Control;
import io.tailrace.schemas.SnapshotManifest;
import java.util.Collection;
import java.util.Set;

/**
 * Which version of a lane is loaded next, and when: the one that {@linkplain VersionChoice is chosen}, as often as {@linkplain LoadAttempts it may be
 * tried}, or for as long as it cannot be loaded the newest older one. Knows the one load under way and how long a withdrawn version may stay live. It
 * is told which version is live, loads nothing itself, and never waits. Whoever owns it guards it.
 */
final class VersionLoads {
    /** So long a version that was withdrawn may be drafted from while its successor is being loaded. */
    static final long WITHDRAWN_MILLIS_MAX = 2_000;

    private static final long NOT_WITHDRAWN = Long.MIN_VALUE;

    private final VersionChoice choice = new VersionChoice();
    private final LoadAttempts attempts = new LoadAttempts();
    /** Being loaded; null: nothing is. */
    private SnapshotManifest loading;

    private boolean closed;
    private long askedAtMillis;
    /** Of the version that is live. */
    private long withdrawnAtMillis = NOT_WITHDRAWN;

    /**
     * A manifest came.
     *
     * @param notBeforeMillis when it may be loaded, if nothing waits to be loaded already
     * @return false: it does not count, a job that took over has announced this lane
     */
    boolean announce(SnapshotManifest manifest, long live, long notBeforeMillis) {
        boolean nothingToDo = wanted(live) == null;
        boolean counts = choice.announce(manifest);
        if (counts) {
            attempts.announced(manifest.getVersion());
        }
        if (counts && nothingToDo) {
            attempts.waitUntil(notBeforeMillis);
        }
        return counts;
    }

    /** A version was withdrawn; returns its manifest, null if it was not known. */
    SnapshotManifest retract(long version, long live, long nowMillis) {
        if (version == live && version != 0 && !isWithdrawn()) {
            withdrawnAtMillis = nowMillis;
        }
        return choice.retract(version);
    }

    /** PIN, UNPIN or ROLLBACK; returns false for one that holds nothing, since no such version can have been announced when it was given. */
    boolean command(Control control) {
        choice.command(control);
        attempts.hurry();
        return !choice.isBeyondCommand() || choice.knows(control.getVersion());
    }

    /** Newest version announced and not withdrawn; 0 if none. */
    long newest() {
        return choice.newest();
    }

    /** Whether an operator's command decides which version is served. */
    boolean held() {
        return choice.held();
    }

    /** Versions that are remembered, whether they count or not. */
    Set<Long> remembered() {
        return choice.versions();
    }

    /** Manifests that count, oldest first. */
    Collection<SnapshotManifest> counting() {
        return choice.known();
    }

    /** What is being loaded, whatever was heard of its version meanwhile; null: nothing is. */
    SnapshotManifest loading() {
        return loading;
    }

    /** Whether the live version was withdrawn and nothing has taken its place. */
    boolean isWithdrawn() {
        return withdrawnAtMillis != NOT_WITHDRAWN;
    }

    /** Whether the live version was withdrawn and may not wait for a successor any more. */
    boolean mustUnload(long nowMillis) {
        lookAtClock(nowMillis);
        return isWithdrawn() && (choice.newest() == 0 || nowMillis >= withdrawnAtMillis + WITHDRAWN_MILLIS_MAX);
    }

    /** Begins the load that is due, if any; it ends by {@link #loaded} or {@link #failed}. */
    SnapshotManifest next(long live, long nowMillis) {
        lookAtClock(nowMillis);
        attempts.lookAtDamage(nowMillis);
        SnapshotManifest wanted = wanted(live);
        if (closed || loading != null || wanted == null) {
            return null;
        }
        loading = attempts.begin(wanted.getVersion(), nowMillis, untried(wanted, live) == null)
                ? wanted
                : standIn(wanted, live);
        return loading;
    }

    /** Where the clock was set back, nothing waits for the time that it was set back from. */
    private void lookAtClock(long nowMillis) {
        if (nowMillis < askedAtMillis) {
            attempts.hurry();
            withdrawnAtMillis = isWithdrawn() ? Math.min(withdrawnAtMillis, nowMillis) : NOT_WITHDRAWN;
        }
        askedAtMillis = nowMillis;
    }

    /** When something is to be loaded or unloaded; {@link Long#MAX_VALUE}: nothing is to come. */
    long nextAtMillis(long live) {
        long load = loadAtMillis(live);
        return isWithdrawn() ? Math.min(load, withdrawnAtMillis + WITHDRAWN_MILLIS_MAX) : load;
    }

    private long loadAtMillis(long live) {
        SnapshotManifest wanted = wanted(live);
        if (closed || loading != null || wanted == null) {
            return Long.MAX_VALUE;
        }
        return standIn(wanted, live) != null ? 0 : attempts.dueAtMillis();
    }

    /** The load under way is done; returns whether its version goes live, as it does unless something else was decided meanwhile. */
    boolean loaded(long version, long live) {
        loading = null;
        if (closed || !isStillWelcome(version, live)) {
            return false;
        }
        attempts.loaded(version);
        withdrawnAtMillis = NOT_WITHDRAWN;
        return true;
    }

    /**
     * The load under way has failed.
     *
     * @param retry false: no later attempt can end otherwise
     * @return how often the version that is wanted was tried
     */
    int failed(long version, boolean retry, long nowMillis) {
        loading = null;
        attempts.failed(version, retry, nowMillis);
        attempts.forgetAllBut(choice.versions());
        return attempts.count();
    }

    /** The live version was found damaged and is live no more: it is loaded anew. */
    void damaged(long version) {
        attempts.damaged(version);
        withdrawnAtMillis = NOT_WITHDRAWN;
    }

    /** None is live. */
    void unloaded() {
        withdrawnAtMillis = NOT_WITHDRAWN;
    }

    /** Nothing is loaded from now on. */
    void close() {
        closed = true;
    }

    /** The manifest to load next, the newest older one where it was refused; null if the right version is live. */
    private SnapshotManifest wanted(long live) {
        SnapshotManifest wanted = choice.wanted(live);
        if (wanted != null && attempts.isRefused(wanted.getVersion())) {
            wanted = choice.held()
                    ? null
                    : choice.newestBetween(atLeast(live), wanted.getVersion(), version -> !attempts.isRefused(version));
        }
        return wanted == null || wanted.getVersion() == live ? null : wanted;
    }

    /** Better than what is live, while the version that is wanted has failed; null: none. */
    private SnapshotManifest standIn(SnapshotManifest wanted, long live) {
        return attempts.hasFailed(wanted.getVersion()) ? untried(wanted, live) : null;
    }

    /** The newest that could stand in; null: none is left that has not failed. */
    private SnapshotManifest untried(SnapshotManifest wanted, long live) {
        return choice.held() ? null : choice.newestBetween(atLeast(live), wanted.getVersion(), attempts::mayBeTried);
    }

    /** What takes the live version's place is above it, unless that may be served no more: then any is better. */
    private long atLeast(long live) {
        return choice.offers(live) ? live : 0;
    }

    private boolean isStillWelcome(long version, long live) {
        SnapshotManifest wanted = wanted(live);
        if (wanted != null && wanted.getVersion() == version) {
            return true;
        }
        return !choice.held() && choice.offers(version) && version > atLeast(live);
    }
}
