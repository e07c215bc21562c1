package io.tailrace.operators.publishing;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.MetricNames;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.LaneId;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a task holds of a lane beside its state: work in flight, results that wait for the next tick, and when to do what
 * again. Lost in a failure, and not missed. Only the queue is touched by side threads.
 */
final class LaneWork {
    private static final long PAUSE_MILLIS_MAX = 30_000;
    /** One file of a lane is read back in that time. */
    private static final long SCRUB_MILLIS = 300_000;
    /** A file that could not be read so often in a row, ... */
    private static final int UNREADABLE_TIMES = 3;
    /** ... for so long, is given up. */
    private static final long UNREADABLE_MILLIS = 30_000;
    /** After a fold the next waits so many times as long as that one took, ... */
    private static final long REST_TIMES = 4;
    /** ... but no longer than this: how fresh the lane is matters more. */
    private static final long REST_MILLIS_MAX = 4_000;

    final LaneId laneId;
    final Metrics metrics;
    final StoreSweep sweep;
    final SweepPace sweepPace;
    final ReadBack readBack = new ReadBack();
    /** The fleet no longer serves the lane's model: what it has stays as it is. */
    final boolean retired;

    final Queue<MergePlan.Outcome> results = new ConcurrentLinkedQueue<>();
    /** Paths that the store did not give as they were written, once for each time, and such that were written again. */
    final Queue<String> unreadable = new ConcurrentLinkedQueue<>();

    final Queue<String> mended = new ConcurrentLinkedQueue<>();
    /** Such that it gave as they were written. */
    final Queue<String> intact = new ConcurrentLinkedQueue<>();
    /** Paths of which every reading failed since then. */
    private final Map<String, Unreadable> notRead = new HashMap<>();

    private long nextScrubAt = Long.MIN_VALUE;
    private String scrubbedLast = "";

    final FoldTiming timing;
    private Future<?> fold;
    private Throwable foldFailure;
    /** Under load folds are made seldom and large: each rewrites the newest segment. */
    long foldNotBefore = Long.MIN_VALUE;

    boolean olderInFlight;
    volatile boolean sweepInFlight;
    /** False once a tick has found nothing to do and nothing has come in since. */
    boolean awake = true;

    long nextTickAt = Long.MIN_VALUE;
    /** Something that waits is to begin then, not at the next tick only. */
    long wakeAt = Long.MAX_VALUE;

    long nextMaintenanceAt = Long.MIN_VALUE;
    long accountedAt = Long.MIN_VALUE;
    Map<String, Long> accounted = Map.of();
    private long pausedUntil = Long.MIN_VALUE;
    private long seenAt = Long.MIN_VALUE;
    private int failuresInARow;

    LaneWork(
            String lane,
            PublishingOptions options,
            ModelCatalog models,
            CheckpointRhythm rhythm,
            MetricGroup metricGroup) {
        laneId = LaneId.parse(lane);
        retired = !models.serves(laneId);
        metrics = new Metrics(metricGroup, lane);
        sweep = new StoreSweep(lane, options.sweepGraceMillis());
        sweepPace = new SweepPace(lane);
        timing = new FoldTiming(rhythm, options.announceMillis());
    }

    /** The time is this now. Where a clock was set back, nothing waits for the time that it was set back from. */
    void at(long nowMillis) {
        if (nowMillis < seenAt) {
            timing.clear();
            foldNotBefore = Long.MIN_VALUE;
            nextTickAt = Long.MIN_VALUE;
            wakeAt = Long.MAX_VALUE;
            nextMaintenanceAt = Long.MIN_VALUE;
            nextScrubAt = Long.MIN_VALUE;
            notRead.clear();
            accountedAt = Long.MIN_VALUE;
            pausedUntil = Long.MIN_VALUE;
            awake = true;
        }
        seenAt = nowMillis;
    }

    boolean isInFlight() {
        return isFolding() || olderInFlight;
    }

    boolean isFolding() {
        return fold != null;
    }

    /** A plan is under way; what became of the last fold counts no more where it is one. */
    void begun(MergePlan plan, Future<?> merge) {
        if (plan.kind() == MergePlan.Kind.FOLD) {
            fold = merge;
            foldFailure = null;
            timing.clear();
        } else {
            olderInFlight = true;
        }
    }

    /** Waits until the fold under way has come to its end. */
    void awaitFold() throws InterruptedException {
        try {
            fold.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a fold ends with an outcome, whatever happens", e);
        }
    }

    void landed(MergePlan plan, long nowMillis) {
        if (plan.kind() == MergePlan.Kind.FOLD) {
            fold = null;
            timing.took(nowMillis - plan.plannedAt());
            foldNotBefore = plan.plannedAt() + Math.min(REST_MILLIS_MAX, REST_TIMES * (nowMillis - plan.plannedAt()));
        } else {
            olderInFlight = false;
        }
        sweepPace.soon();
    }

    /** After failures the lane rests: a second, then twice as long each time, at most half a minute. */
    void failed(MergePlan plan, Throwable failure, long nowMillis) {
        foldFailure = plan.kind() == MergePlan.Kind.FOLD ? failure : foldFailure;
        failuresInARow++;
        pausedUntil = nowMillis + Math.min(PAUSE_MILLIS_MAX, 1_000L << Math.min(failuresInARow - 1, 10));
    }

    void succeeded(MergePlan plan) {
        failuresInARow = 0;
        plan.inputs().forEach(input -> {
            readable(input.file().path());
            readable(input.sidecarFile().path());
        });
    }

    /** Why the last fold failed; empty if it did not, or another is under way. */
    Optional<Throwable> foldFailure() {
        return Optional.ofNullable(foldFailure);
    }

    /** So long what failed is not tried again. */
    long restMillis(long nowMillis) {
        return Math.max(0, pausedUntil - nowMillis);
    }

    /** What failed is tried again at once. */
    void restNoLonger() {
        pausedUntil = Long.MIN_VALUE;
    }

    boolean isPaused(long nowMillis) {
        return nowMillis < pausedUntil;
    }

    /** How often in a row a file could not be read. */
    private record Unreadable(int times, long sinceMillis) {
        boolean isForGood(long nowMillis) {
            return times >= UNREADABLE_TIMES && nowMillis - sinceMillis >= UNREADABLE_MILLIS;
        }
    }

    /** Counts a time at which a file could not be read; true if it is to be given up. */
    boolean isGivenUp(String path, long nowMillis) {
        Unreadable counted = notRead.merge(
                path,
                new Unreadable(1, nowMillis),
                (before, one) -> new Unreadable(before.times + 1, before.sinceMillis));
        if (!counted.isForGood(nowMillis)) {
            return false;
        }
        notRead.remove(path);
        return true;
    }

    /** A file was read as it was written. */
    void readable(String path) {
        notRead.remove(path);
    }

    /** The file to read back now, one after the other, if it is time. */
    Optional<String> scrubbed(Set<String> named, long nowMillis) {
        if (nowMillis < nextScrubAt) {
            return Optional.empty();
        }
        nextScrubAt = nowMillis + SCRUB_MILLIS;
        TreeSet<String> sorted = new TreeSet<>(named);
        if (sorted.isEmpty()) {
            return Optional.empty();
        }
        String next = sorted.higher(scrubbedLast);
        scrubbedLast = next == null ? sorted.first() : next;
        return Optional.of(scrubbedLast);
    }

    /** What a lane shows of its snapshots. */
    static final class Metrics {
        private static final int FRESHNESS_WINDOW = 4096;

        private final Counter indexedTokens;
        private final Counter merges;
        private final Counter announcements;
        private final Counter storeFailures;
        private final Counter filesLost;
        private final Counter filesMended;
        private final Histogram freshnessMillis;
        private volatile long waitingTokens;
        private volatile long liveSegments;
        private volatile long liveTokens;
        private volatile long version;
        private volatile long policyNumber;

        Metrics(MetricGroup parent, String lane) {
            MetricGroup group = parent.addGroup(MetricNames.LANE, lane);
            indexedTokens = group.counter(MetricNames.INDEXED_TOKENS);
            merges = group.counter(MetricNames.MERGES);
            announcements = group.counter(MetricNames.ANNOUNCEMENTS);
            storeFailures = group.counter(MetricNames.STORE_FAILURES);
            filesLost = group.counter(MetricNames.FILES_LOST);
            filesMended = group.counter(MetricNames.FILES_MENDED);
            freshnessMillis =
                    group.histogram(MetricNames.FRESHNESS_MILLIS, new DescriptiveStatisticsHistogram(FRESHNESS_WINDOW));
            Gauge<Long> waitingGauge = () -> waitingTokens;
            Gauge<Long> segmentsGauge = () -> liveSegments;
            Gauge<Long> tokensGauge = () -> liveTokens;
            Gauge<Long> versionGauge = () -> version;
            Gauge<Long> policyGauge = () -> policyNumber;
            group.gauge(MetricNames.WAITING_TOKENS, waitingGauge);
            group.gauge(MetricNames.POLICY_NUMBER, policyGauge);
            group.gauge(MetricNames.LIVE_SEGMENTS, segmentsGauge);
            group.gauge(MetricNames.LIVE_TOKENS, tokensGauge);
            group.gauge(MetricNames.SNAPSHOT_VERSION, versionGauge);
        }

        void show(Lane lane) {
            waitingTokens = lane.layout().tokensWaiting();
            liveSegments = lane.layout().liveSegments();
            liveTokens = lane.layout().liveTokens();
            version = lane.versions().last();
            policyNumber = lane.versions().policy().number();
        }

        void indexed(List<AdmittedGeneration> generations) {
            indexedTokens.inc(Layout.tokens(generations));
        }

        void countMerge() {
            merges.inc();
        }

        void countFileLost() {
            filesLost.inc();
        }

        void countFileMended() {
            filesMended.inc();
        }

        void countStoreFailure() {
            storeFailures.inc();
        }

        void announced(List<Instant> completions, long nowMillis) {
            announcements.inc();
            completions.forEach(completedAt -> freshnessMillis.update(nowMillis - completedAt.toEpochMilli()));
        }
    }

    /**
     * Removes a lane's files that nothing names any more.
     *
     * <p>A file goes only if it was written longer ago than the grace period, and if this publisher has seen it unnamed for at
     * least as long: a restored checkpoint may name a file that the state lost since, and a merge may have written one that the state does not name yet. Equal content is written to the same path: from then on the file counts as another one, also where the store's
     * clock is behind, and files are looked at again right before a few of them go. One lane's sweeps never run at the same time.
     *
     * <p>The first sweep after a pause only looks: another job may have taken the installation over meanwhile and named what this one has seen
     * unnamed, and by the next sweep this one has heard of it, if it reaches Kafka. Of two sweeps in a row one may remove, however long the pauses: a
     * machine that is always late still tidies up. A sweep before which nothing was seen unnamed removes nothing anyway, and so is no such look.
     */
    static final class StoreSweep {
        private static final Logger LOG = LoggerFactory.getLogger(StoreSweep.class);
        private static final int REMOVED_AT_ONCE = 8;
        /** No sweep comes so long after one that saw a file unnamed unless the process was stopped, or is very late. */
        static final long PAUSE_MILLIS = 120_000;

        private final String lane;
        private final long graceMillis;
        private final Map<String, Unnamed> unnamed = new HashMap<>();
        private long sweptAt;
        private boolean onlyLooked;

        StoreSweep(String lane, long graceMillis) {
            this.lane = lane;
            this.graceMillis = graceMillis;
        }

        /**
         * What a sweep found.
         *
         * @param removed files
         * @param missing paths that are named and not there; none where the folder is empty: that is not the store
         * @param named files that are named and there
         * @param unnamed files that were there and are not named, whether they were removed or not
         */
        record Swept(int removed, List<String> missing, List<DurableStore.StoredFile> named, int unnamed) {}

        /** A file as it was written then, seen unnamed since. */
        private record Unnamed(long modifiedAtMillis, long sinceMillis) {
            boolean is(DurableStore.StoredFile file) {
                return file.modifiedAtMillis() == modifiedAtMillis;
            }
        }

        /** Removes a file from the store, and what else there is of it. */
        @FunctionalInterface
        interface Removal {
            /** False: it is in use, and stays until the next sweep. */
            boolean remove(String path) throws IOException;
        }

        /** Sweeps once. */
        Swept run(DurableStore store, Removal removal, Set<String> named, long nowMillis) throws IOException {
            long passed = nowMillis - sweptAt;
            onlyLooked = passed >= PAUSE_MILLIS && !onlyLooked && !unnamed.isEmpty();
            sweptAt = nowMillis;
            doNotCount(passed - Math.max(0, Math.min(passed, PAUSE_MILLIS)));
            List<DurableStore.StoredFile> files = store.list(SegmentLayout.folder(lane));
            unnamed.keySet()
                    .retainAll(files.stream().map(DurableStore.StoredFile::path).toList());
            List<String> old = new ArrayList<>();
            for (DurableStore.StoredFile file : files) {
                if (named.contains(file.path())) {
                    unnamed.remove(file.path());
                } else {
                    Unnamed seen = unnamed.compute(
                            file.path(),
                            (path, before) -> before != null && before.is(file)
                                    ? before
                                    : new Unnamed(file.modifiedAtMillis(), nowMillis));
                    if (nowMillis - seen.sinceMillis() >= graceMillis && isOld(file, nowMillis)) {
                        old.add(file.path());
                    }
                }
            }
            Set<String> missing = new TreeSet<>(files.isEmpty() ? Set.of() : named);
            files.forEach(file -> missing.remove(file.path()));
            List<DurableStore.StoredFile> there =
                    files.stream().filter(file -> named.contains(file.path())).toList();
            return new Swept(
                    onlyLooked ? 0 : remove(store, removal, old),
                    List.copyOf(missing),
                    there,
                    files.size() - there.size());
        }

        /** A clock may have been set: no more time is taken for passed between two sweeps than a pause is long, and none where it went back. */
        private void doNotCount(long millis) {
            if (millis != 0) {
                unnamed.replaceAll((path, seen) -> new Unnamed(seen.modifiedAtMillis(), seen.sinceMillis() + millis));
            }
        }

        private boolean isOld(DurableStore.StoredFile file, long nowMillis) {
            return nowMillis - file.modifiedAtMillis() >= graceMillis;
        }

        private int remove(DurableStore store, Removal removal, List<String> old) throws IOException {
            int removed = 0;
            for (int from = 0; from < old.size(); from += REMOVED_AT_ONCE) {
                List<String> some = old.subList(from, Math.min(old.size(), from + REMOVED_AT_ONCE));
                for (DurableStore.StoredFile file : store.list(SegmentLayout.folder(lane))) {
                    boolean same = some.contains(file.path())
                            && unnamed.get(file.path()).is(file);
                    if (same && removes(removal, file.path())) {
                        unnamed.remove(file.path());
                        removed++;
                    }
                }
            }
            return removed;
        }

        /** A file that cannot be removed keeps no other one there. */
        private boolean removes(Removal removal, String path) {
            try {
                return removal.remove(path);
            } catch (IOException e) {
                LOG.warn("lane {}: nothing names {}, and it cannot be removed, which is tried again", lane, path, e);
                return false;
            }
        }
    }
}
