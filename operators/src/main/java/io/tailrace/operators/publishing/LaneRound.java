package io.tailrace.operators.publishing;

import io.tailrace.operators.Notice;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round of a lane's publisher: take up what is done, announce what is due, begin what is next, tell where things are. */
final class LaneRound {
    private static final Logger LOG = LoggerFactory.getLogger(LaneRound.class);
    private static final long ACCOUNTING_MILLIS = 1_000;
    /** Topic events forgets an account after a week; that of a lane that rests must stay there. */
    static final long ACCOUNTED_AGAIN_MILLIS = 86_400_000;

    private static final long MAINTENANCE_MILLIS = 30_000;

    private final Lane lane;
    private final long epoch;
    private final LaneWork work;
    private final BackgroundMerges merges;
    private final long durableTo;
    private final Consumer<OutgoingRecord> snapshots;
    private final Consumer<Notice> events;
    private final long now;

    /**
     * @param epoch of the job's claim
     * @param durableTo what was named last before then may go, by {@link CompletedCheckpoints}
     * @param snapshots to topic snapshots
     * @param events to topic events
     */
    LaneRound(
            Lane lane,
            long epoch,
            LaneWork work,
            BackgroundMerges merges,
            long durableTo,
            Consumer<OutgoingRecord> snapshots,
            Consumer<Notice> events,
            long now) {
        this.lane = lane;
        this.epoch = epoch;
        this.work = work;
        this.merges = merges;
        this.durableTo = durableTo;
        this.snapshots = snapshots;
        this.events = events;
        this.now = now;
    }

    /**
     * True if something is under way.
     *
     * @param identity of the lane's segments; not asked for a lane of a model that is not served any more, which rests
     */
    boolean run(Supplier<SegmentIdentity> identity) {
        adoptResults();
        takeUpInspections();
        if (!work.isFolding()) {
            lane.forgetWaiting();
        }
        if (!work.retired) {
            tellForced(lane.expire(now));
            lane.review(now).ifPresent(this::tell);
            lane.announce(now, identity.get(), epoch).ifPresent(this::announce);
            if (!work.isPaused(now)) {
                startMerges();
            }
        }
        if (now >= work.nextMaintenanceAt) {
            work.nextMaintenanceAt = now + MAINTENANCE_MILLIS;
            maintain();
        }
        work.wakeAt = wakeAt();
        boolean accounted = account();
        work.metrics.show(lane);
        boolean busy = work.isInFlight() || (lane.isBusy() && !work.retired);
        work.awake = busy || !accounted;
        return busy;
    }

    /** What time alone brings about, also in a lane that nothing comes into. */
    private void maintain() {
        if (work.retired) {
            lane.giveUpChange(now).ifPresent(this::tell);
        }
        withdraw(work.retired ? lane.expireAtRest(now) : lane.versions().expire(now));
        merges.sweep(work, lane.referencedPaths(), durableTo, now);
    }

    private void withdraw(List<Long> versions) {
        versions.forEach(version -> snapshots.accept(OutgoingRecord.tombstone(snapshotKey(version))));
    }

    private void adoptResults() {
        for (MergePlan.Outcome outcome = work.results.poll(); outcome != null; outcome = work.results.poll()) {
            work.landed(outcome.plan(), now);
            if (outcome.failure() != null) {
                failed(outcome.plan(), outcome.failure());
            } else {
                work.succeeded(outcome.plan());
                work.metrics.countMerge();
                if (lane.adopt(outcome)) {
                    MergePlan plan = outcome.plan();
                    work.metrics.indexed(plan.generations());
                    boolean forced = plan.isBeyondBudget() && !plan.kind().isJudged();
                    tellForced(forced ? outcome.expiredTokens() : 0);
                } else {
                    LOG.info(
                            "lane {}: a merge of {} segments no longer fits and is planned again",
                            work.laneId,
                            outcome.plan().inputs().size());
                }
            }
        }
    }

    private void tellForced(long tokens) {
        if (tokens > 0) {
            String message = "the lane is over its budget: the oldest %d tokens leave it unjudged".formatted(tokens);
            tell(new Notice(EventKind.RETENTION_FORCED, message, Map.of("tokens", tokens)));
        }
    }

    private void tell(Notice notice) {
        LOG.info("lane {}: {}", work.laneId, notice.message());
        events.accept(notice);
    }

    private void takeUpInspections() {
        for (String path = work.files.mended.poll(); path != null; path = work.files.mended.poll()) {
            work.files.readable(path);
            work.metrics.countFileMended();
            String message = path + " was damaged or gone in the store, and was written again from a copy";
            tell(new Notice(EventKind.SEGMENT_MENDED, message, Map.of()));
        }
        for (String path = work.files.intact.poll(); path != null; path = work.files.intact.poll()) {
            work.files.readable(path);
        }
        for (String path = work.files.unreadable.poll(); path != null; path = work.files.unreadable.poll()) {
            unreadable(path);
        }
    }

    private void unreadable(String path) {
        if (work.files.isGivenUp(path, now)) {
            work.restNoLonger();
            lane.lose(path).ifPresent(notice -> {
                work.metrics.countFileLost();
                tell(notice);
            });
        }
    }

    private void failed(MergePlan plan, Throwable failure) {
        if (failure instanceof OutOfMemoryError fatal) {
            throw fatal; // the process is not to go on with what is left of it
        }
        work.failed(plan, failure, now);
        if (failure instanceof SegmentMerge.UnreadableFileException unreadable) {
            unreadable(unreadable.path());
        }
        work.metrics.countStoreFailure();
        LOG.warn("lane {}: merge failed, the announced snapshot stays", work.laneId, failure);
        String message = "merge failed, the announced snapshot stays: " + failure.getMessage();
        events.accept(new Notice(EventKind.STORE_UNAVAILABLE, message, Map.of()));
    }

    private void announce(Lane.Announcement announcement) {
        SnapshotManifest manifest = announcement.manifest();
        snapshots.accept(
                OutgoingRecord.of(snapshotKey(manifest.getVersion()), RecordCodec.SNAPSHOT_MANIFEST.encode(manifest)));
        withdraw(announcement.dropped());
        if (manifest.getVersion() < manifest.getParentVersion()) {
            LOG.warn(
                    "lane {}: version {} follows {}, which the clock was too far ahead for; readers refuse that one",
                    work.laneId,
                    manifest.getVersion(),
                    manifest.getParentVersion());
        }
        work.metrics.announced(manifest.getCompletionTimesAdded(), now);
        LOG.debug(
                "lane {}: version {} with {} segments",
                work.laneId,
                manifest.getVersion(),
                manifest.getSegments().size());
        if (announcement.deletesDone()) {
            deletesDone(announcement);
        }
    }

    private void deletesDone(Lane.Announcement announcement) {
        long withheld = lane.withheldTokens();
        String message = "deletes are done as of version %d; %d versions were dropped%s"
                .formatted(
                        announcement.manifest().getVersion(),
                        announcement.dropped().size(),
                        withheld == 0
                                ? ""
                                : "; %d tokens are left out until they have been rewritten".formatted(withheld));
        Map<String, Long> numbers = Map.of(
                "tokensDeleted",
                lane.layout().tokensDeleted(),
                "tokensWithheld",
                withheld,
                "issuedTo",
                lane.deletedTo());
        tell(new Notice(EventKind.DELETED, message, numbers));
    }

    private String snapshotKey(long version) {
        return new SnapshotKey(work.laneId, version).toString();
    }

    private void startMerges() {
        MergePlanning planning = lane.merges(merges.heap());
        if (!planning.foldNeeded(now)) {
            work.timing.clear();
        } else if (!work.isFolding() && isFoldTime()) {
            planning.fold(now).ifPresent(plan -> merges.submit(plan, work));
        }
        if (!work.olderInFlight) {
            planning.older(now).ifPresent(plan -> merges.submit(plan, work));
        }
    }

    /** The next moment at which a fold is to begin or an announcement may be made, whichever comes first. */
    private long wakeAt() {
        long fold = work.timing.foldAt() > now ? work.timing.foldAt() : Long.MAX_VALUE;
        long announceable = lane.announceableAt(now);
        return lane.cadence().isDue() && announceable > now ? Math.min(fold, announceable) : fold;
    }

    /** What is urgent is folded as soon as it may be announced. */
    private boolean isFoldTime() {
        if (work.isOverfull(lane)) {
            return true;
        }
        return lane.isUrgent()
                ? lane.announceableAt(now) <= now + work.timing.leadMillis()
                : now >= work.foldNotBefore && work.timing.isTime(now, lane.announceableAt(now));
    }

    /** True unless numbers changed that could not be reported yet. */
    private boolean account() {
        Map<String, Long> numbers = lane.numbers();
        if (numbers.equals(work.accounted) && now < work.accountedAt + ACCOUNTED_AGAIN_MILLIS) {
            return true;
        }
        if (work.accountedAt != Long.MIN_VALUE && now < work.accountedAt + ACCOUNTING_MILLIS) {
            return false;
        }
        work.accounted = numbers;
        work.accountedAt = now;
        events.accept(new Notice(EventKind.ACCOUNTING, "where the lane's records and tokens are", numbers));
        return true;
    }
}
