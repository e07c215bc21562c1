package io.tailrace.client.follow.internal;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes segment files off this worker's disk whose versions were withdrawn: what they hold may have been deleted. A file goes once no announced version of its lane
 * names it and nobody drafts from it any more; several versions share most of theirs. What was withdrawn while the worker was down, or whose deletion a kill
 * prevented, is found by a sweep of the folder, at the start and then each minute. All but the sweep runs in the follower's thread.
 */
final class WithdrawnFiles {
    static final long SWEEP_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(WithdrawnFiles.class);

    private final ServedLanes lanes;
    private final SnapshotLoader loader;
    private final Executor sweeps;
    /** Files of withdrawn versions that may still be in use, with their lane. */
    private final Map<String, ServedLane> waiting = new HashMap<>();

    private long sweepAtMillis = Long.MIN_VALUE;
    private volatile boolean sweeping;
    /** Of the last sweep; empty: there was none. */
    private volatile String troubleTold = "";

    WithdrawnFiles(ServedLanes lanes, SnapshotLoader loader, Executor sweeps) {
        this.lanes = lanes;
        this.loader = loader;
        this.sweeps = sweeps;
    }

    /** A version of the lane that named these is no more. */
    void add(ServedLane lane, Set<String> files) {
        files.forEach(sha256 -> waiting.put(sha256, lane));
    }

    /** Deletes what can be deleted now, and sweeps if it is time, also where the clock was set back. Call it once everything that was announced before the start is known. */
    void tidy(long nowMillis) {
        waiting.entrySet().removeIf(file -> isSettled(file.getKey(), file.getValue()));
        boolean due = nowMillis >= sweepAtMillis || nowMillis < sweepAtMillis - SWEEP_MILLIS;
        if (due && !sweeping) {
            sweepAtMillis = nowMillis + SWEEP_MILLIS;
            sweeping = true;
            sweeps.execute(this::sweep);
        }
    }

    /** True if another version names it, which is then the one to wait for, or if it is gone. */
    private boolean isSettled(String sha256, ServedLane lane) {
        return lane.files().contains(sha256) || (!lane.filesLoading().contains(sha256) && loader.forget(sha256));
    }

    /** The same trouble once: it may stay for weeks. */
    private void tell(String trouble) {
        LOG.atLevel(trouble.equals(troubleTold) ? Level.DEBUG : Level.WARN)
                .log(
                        "a file among the segments can be neither read nor deleted; all others are swept, and it is tried each minute: {}",
                        trouble);
        troubleTold = trouble;
    }

    private void sweep() {
        try {
            Set<String> named = new HashSet<>();
            for (ServedLane lane : lanes.all()) {
                named.addAll(lane.files());
                named.addAll(lane.filesLoading());
            }
            int swept = loader.sweep(named);
            if (swept > 0) {
                LOG.info("{} segment files that no announced version names were deleted from this disk", swept);
            }
            troubleTold = "";
        } catch (IOException e) {
            tell(e.toString());
        } finally {
            sweeping = false;
        }
    }
}
