package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.LaneState;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.KeptOfPrompts;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.DraftPolicy;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A lane as its worker serves it: what was announced, what is live, and the fresh generations. The follower's thread
 * announces, loading threads bring snapshots, serving threads lease {@link #live} and add generations.
 */
public final class ServedLane implements FollowedLane {
    private static final Logger LOG = LoggerFactory.getLogger(ServedLane.class);

    private final LaneId lane;
    private final FreshGenerations fresh;
    private final KeptOfPrompts prompts;
    private final FreshRoom room;
    private final LiveSnapshot live;
    private final VersionLoads versions = new VersionLoads();
    private final FreshnessLog freshness;
    private volatile Runnable changed = () -> {};
    private volatile LongUnaryOperator served = live -> live;
    private volatile long lastUse;
    private long announcedAtMillis;
    private long loadedAtMillis;
    private long loads;
    private long failures;
    private String lastFailure;

    /** A lane whose fresh generations share a room with others'; it must still {@linkplain FreshRoom#join join} it. */
    ServedLane(LaneId lane, FollowOptions options, long startedAtMillis, FreshRoom room) {
        this(lane, options, startedAtMillis, room, true);
    }

    private ServedLane(LaneId lane, FollowOptions options, long startedAtMillis, FreshRoom room, boolean followed) {
        this.lane = lane;
        this.fresh = new FreshGenerations(options.freshTokensMax());
        this.prompts = options.prompts();
        this.room = room;
        this.freshness = new FreshnessLog(startedAtMillis);
        this.live = new LiveSnapshot(unloaded(), followed);
        live.onDamage(this::damaged);
    }

    /** A lane beyond the worker's limit: it has no snapshot and keeps no answers, so its requests draft from their own context. */
    static ServedLane beyondLimit(LaneId lane, FollowOptions options, long startedAtMillis, FreshRoom room) {
        return new ServedLane(lane, options.withFreshTokensMax(0), startedAtMillis, room, false);
    }

    /** A lane that a client shows, as the modules see it that are built with this one. */
    public static ServedLane of(FollowedLane shown) {
        return (ServedLane) shown;
    }

    @Override
    public LaneId lane() {
        return lane;
    }

    /** What requests draft from. */
    public LiveSnapshot live() {
        return live;
    }

    /** Calls this, quickly, after each change of what the lane drafts from; one listener. */
    public void onChange(Runnable listener) {
        changed = listener;
    }

    /** Requests draft from a copy of what is live: while a version is live, this says which one they draft from, for {@link #state}. */
    public void servedFrom(LongUnaryOperator version) {
        served = version;
    }

    /** A request asks for this lane. */
    void used() {
        lastUse = room.nextUse();
    }

    /** Which of all lanes' uses was this one's last; 0: no request has ever asked for it. */
    long lastUse() {
        return lastUse;
    }

    @Override
    public void finished(String requestId, RememberedAnswer answer, long completedAtMillis) {
        used();
        if (fresh.add(RequestHash.of(requestId), prompts.cut(lane.scope(), answer), completedAtMillis)) {
            changed.run();
            room.added();
        }
    }

    /** The job has admitted a generation, maybe one of this worker's: from now on the lane drafts from it. False: it did so before, or never will. */
    boolean admitted(RequestHash request, RememberedAnswer answer, long completedAtMillis) {
        if (!fresh.add(request, answer, completedAtMillis)) {
            return false;
        }
        changed.run();
        room.added();
        return true;
    }

    /** Another worker's answer was admitted, and its delay counts: it was completed when this worker knew the lane. */
    synchronized void heard(long completedAtMillis, long nowMillis) {
        freshness.heard(completedAtMillis, nowMillis);
    }

    /** What its fresh generations take of the room. */
    long freshHeld() {
        return fresh.held();
    }

    /** The room is full: the oldest fresh generations go until so much of it is free. */
    void giveUpFresh(long less) {
        fresh.giveUp(less);
        changed.run();
    }

    @Override
    public synchronized Histogram freshness() {
        return freshness.copy();
    }

    @Override
    public synchronized Histogram heard() {
        return freshness.heardCopy();
    }

    /** What a fleet hears of soon after it changes. */
    record Standing(long loadedVersion, long announcedVersion, boolean held, long loads, long failures) {}

    /** A part of {@link #state} that costs nothing. */
    synchronized Standing standing() {
        return new Standing(served.applyAsLong(live.version()), versions.newest(), versions.held(), loads, failures);
    }

    @Override
    public synchronized LaneState state(long nowMillis) {
        long loadedVersion = served.applyAsLong(live.version());
        long announcedVersion = versions.newest();
        boolean behind = loadedVersion != announcedVersion;
        return new LaneState(
                lane,
                loadedVersion,
                loadedVersion == 0 ? 0 : loadedAtMillis,
                announcedVersion,
                behind ? Math.max(0, nowMillis - announcedAtMillis) : 0,
                versions.held(),
                loads,
                failures,
                lastFailure,
                freshness.samples(),
                freshness.percentileMillis(50, nowMillis),
                freshness.percentileMillis(99, nowMillis),
                freshness.heardSamples(),
                freshness.heardPercentileMillis(50, nowMillis),
                freshness.heardPercentileMillis(99, nowMillis),
                fresh.tokens(),
                fresh.givenUp());
    }

    /**
     * A manifest came.
     *
     * @param delayMillis wait before it is loaded
     */
    synchronized void announce(SnapshotManifest manifest, long nowMillis, long delayMillis) {
        long[] times = manifest.getCompletionTimesAdded().stream()
                .mapToLong(Instant::toEpochMilli)
                .toArray();
        manifest.setCompletionTimesAdded(List.of());
        long newestBefore = versions.newest();
        if (!versions.announce(manifest, live.version(), nowMillis + delayMillis)) {
            LOG.warn(
                    "lane {}: version {} of epoch {} is left out: the job of a later epoch has announced this lane",
                    lane,
                    manifest.getVersion(),
                    manifest.getEpoch());
            return;
        }
        if (versions.newest() != newestBefore) {
            announcedAtMillis = nowMillis;
        }
        freshness.announced(manifest.getVersion(), times, versions.held());
    }

    /**
     * A manifest was withdrawn: the version is not to be served any more.
     *
     * @return SHA-256 of the files that it named
     */
    synchronized Set<String> retract(long version, long nowMillis) {
        long newestBefore = versions.newest();
        SnapshotManifest withdrawn = versions.retract(version, live.version(), nowMillis);
        if (versions.newest() > newestBefore) {
            announcedAtMillis = nowMillis;
        }
        Set<String> files = new HashSet<>();
        if (withdrawn != null) {
            addFiles(withdrawn, files);
        }
        return files;
    }

    /** Those that are announced, and the one that is live. */
    synchronized Set<Long> versions() {
        Set<Long> all = versions.remembered();
        if (live.version() != 0) {
            all.add(live.version());
        }
        return all;
    }

    /** SHA-256 of the files that announced versions name. */
    synchronized Set<String> files() {
        Set<String> files = new HashSet<>();
        versions.counting().forEach(manifest -> addFiles(manifest, files));
        return files;
    }

    /** SHA-256 of the files that are being loaded, whatever was heard of their version meanwhile. */
    synchronized Set<String> filesLoading() {
        Set<String> files = new HashSet<>();
        if (versions.loading() != null) {
            addFiles(versions.loading(), files);
        }
        return files;
    }

    private static void addFiles(SnapshotManifest manifest, Set<String> into) {
        for (SegmentReference segment : manifest.getSegments()) {
            into.add(segment.getSha256());
        }
    }

    synchronized void command(Control control) {
        Command command = control.getCommand();
        if (command == Command.DELETE_REQUEST && control.getRequestId() != null) {
            fresh.forget(control.getRequestId(), control.getIssuedAt().toEpochMilli());
            live.deleted();
            changed.run();
        } else if (command == Command.DELETE_SCOPE) {
            fresh.forgetUntil(control.getIssuedAt().toEpochMilli());
            live.deleted();
            changed.run();
        } else if (command == Command.PIN || command == Command.UNPIN || command == Command.ROLLBACK) {
            boolean obeyed = versions.command(control);
            if (versions.held()) {
                freshness.holdBack();
            } else if (!obeyed) {
                LOG.warn(
                        "lane {}: {} {} is not obeyed, no such version can have been announced (newest {}, command {})",
                        lane,
                        command,
                        control.getVersion(),
                        versions.newest(),
                        control.getCommandId());
            }
            LOG.info("lane {}: {} {} by command {}", lane, command, control.getVersion(), control.getCommandId());
        }
    }

    /** What a clock that was ahead has stamped is old once it has been put right. */
    synchronized void lookAtClock(long nowMillis) {
        fresh.lookAtClock(nowMillis);
        freshness.lookAtClock(nowMillis);
    }

    /** What to load now, if anything is due; the caller must report {@link #loaded} or {@link #failed}. */
    synchronized Optional<SnapshotManifest> nextLoad(long nowMillis) {
        if (versions.mustUnload(nowMillis)) {
            unload();
        }
        return Optional.ofNullable(versions.next(live.version(), nowMillis));
    }

    /** When {@link #nextLoad} has something to do; {@link Long#MAX_VALUE}: nothing is to come. */
    synchronized long nextLoadAtMillis() {
        return versions.nextAtMillis(live.version());
    }

    /** A version is mapped: it goes live, unless an operator has decided otherwise meanwhile. */
    synchronized void loaded(LoadedSnapshot snapshot, long nowMillis) {
        if (!versions.loaded(snapshot.version(), live.version())) {
            snapshot.release();
            return;
        }
        live.swap(snapshot);
        loads++;
        loadedAtMillis = nowMillis;
        fresh.folded(freshness.loaded(snapshot.version(), nowMillis), nowMillis);
        changed.run();
        LOG.debug("lane {}: version {} is live", lane, snapshot.version());
    }

    /** A snapshot that nobody announced, and that stays: for a worker without Kafka. */
    synchronized void serve(LoadedSnapshot snapshot, long nowMillis) {
        live.swap(snapshot);
        loads++;
        loadedAtMillis = nowMillis;
        changed.run();
    }

    /**
     * Answers of this host were put into segments.
     *
     * @param snapshot made of the fresh generations that no segment holds
     * @param completionTimesAdded of the generations that the segments before did not hold
     */
    synchronized void serveKept(Function<OccurrenceIndex, LoadedSnapshot> snapshot, long[] completionTimesAdded) {
        long now = System.currentTimeMillis();
        serve(snapshot.apply(fresh.index()), now);
        fresh.folded(completionTimesAdded, now);
    }

    /**
     * A load failed: what is live stays live, unless it was withdrawn, or the newest older version takes its place that can be loaded. The first failure of a version, and then each power of two, is a warning.
     *
     * @param retry false: the version is left alone, no later attempt can end otherwise
     */
    synchronized void failed(long version, String message, boolean retry, long nowMillis) {
        failures++;
        lastFailure = message;
        int attempts = versions.failed(version, retry, nowMillis);
        LOG.atLevel(Integer.bitCount(attempts) == 1 ? Level.WARN : Level.DEBUG)
                .log(
                        "lane {}: version {} not loaded (attempt {}), version {} stays live: {}",
                        lane,
                        version,
                        attempts,
                        live.version(),
                        message);
        if (versions.isWithdrawn()) {
            unload();
        }
    }

    /**
     * A file of the live snapshot cannot be read any more, found while drafting: the lane drafts from what no segment holds, and the version is loaded
     * anew with files that are fetched anew; at once the first time, then as after failed loads. Counted as one, and said, once.
     */
    private synchronized void damaged(LoadedSnapshot snapshot, Throwable why) {
        if (!live.dropSegments(snapshot)) {
            return;
        }
        snapshot.discardFiles();
        versions.damaged(snapshot.version());
        loadedAtMillis = 0;
        failures++;
        lastFailure =
                "a file of version %d was damaged, truncated or became unreadable on this disk after it had been loaded: %s"
                        .formatted(snapshot.version(), why.getMessage());
        LOG.error(
                "lane {}: {}; not drafted from until it is loaded anew, a next version is, or a restart",
                lane,
                lastFailure);
        changed.run();
    }

    /** What the fresh generations are searched in, or null. */
    OccurrenceIndex freshIndex() {
        return fresh.index();
    }

    /** Gives back the live snapshot, and what is still being loaded: nobody asks for this lane any more. */
    synchronized void close() {
        versions.close();
        live.swap(unloaded());
        changed.run();
    }

    /** The live version was withdrawn, as when a scope is deleted, and nothing has taken its place. */
    private void unload() {
        LOG.info("lane {}: version {} was withdrawn, none is live", lane, live.version());
        live.swap(unloaded());
        versions.unloaded();
        loadedAtMillis = 0;
        changed.run();
    }

    private LoadedSnapshot unloaded() {
        return new LoadedSnapshot(
                0, DraftPolicy.unannounced(), new LaneIndex(List.of(), null, fresh.index()), () -> {});
    }
}
