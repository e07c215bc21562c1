package io.tailrace.cli.fleet;

import io.tailrace.cli.audit.Books;
import io.tailrace.cli.audit.Finding;
import io.tailrace.cli.snapshots.VersionText;
import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.WorkerPresence;
import io.tailrace.schemas.WorkerStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What the topics say of one lane. Not thread-safe. */
public final class LaneView {
    /** More versions, workers, events or hours are not remembered; the oldest go first. */
    static final int VERSIONS_MAX = 1_000;

    static final int WORKERS_MAX = 10_000;
    static final int LEARNING_MAX = 200;
    static final int HOURS_MAX = 24;

    private static final long HOUR_MILLIS = 3_600_000;

    private final LaneId lane;
    private final AnnouncedVersions versions = new AnnouncedVersions();
    private final TreeMap<String, Reported> workers = new TreeMap<>();
    private final TreeMap<Long, OutcomeTally> hours = new TreeMap<>();
    private final Recent<HeardEvent> learning = new Recent<>(LEARNING_MAX);
    private Map<String, Long> account;
    private long accountEpoch;
    private long deletedTo = Long.MIN_VALUE;

    /** A worker's last status, and when the brokers took it, by their clock. */
    private record Reported(WorkerStatus status, long takenMillis) {
        boolean isLive(long nowMillis) {
            return WorkerPresence.isLive(takenMillis, nowMillis);
        }
    }

    LaneView(LaneId lane) {
        this.lane = lane;
    }

    public LaneId lane() {
        return lane;
    }

    void announced(SnapshotManifest manifest) {
        manifest.setCompletionTimesAdded(List.of());
        versions.announce(manifest);
        if (versions.counting().size() > VERSIONS_MAX) {
            versions.forget(versions.counting().firstKey());
        }
    }

    void withdrawn(long version) {
        versions.withdraw(version);
    }

    void reported(WorkerStatus status, long takenMillis) {
        status.setLastFailure(Shown.text(status.getLastFailure()));
        workers.put(status.getWorker(), new Reported(status, takenMillis));
        if (workers.size() > WORKERS_MAX) {
            workers.values().stream()
                    .min(Comparator.comparingLong(Reported::takenMillis))
                    .ifPresent(silent -> workers.remove(silent.status().getWorker()));
        }
    }

    void gone(String worker) {
        workers.remove(worker);
    }

    void served(Outcome outcome, long atMillis) {
        long hour = Math.floorDiv(atMillis, HOUR_MILLIS) * HOUR_MILLIS;
        OutcomeTally tally = hours.getOrDefault(hour, new OutcomeTally());
        tally.add(outcome);
        hours.put(hour, tally);
        if (hours.size() > HOURS_MAX) {
            hours.pollFirstEntry();
        }
    }

    void learned(HeardEvent event) {
        learning.add(event);
    }

    /** Of the job that told the account; 0: none was heard. */
    long accountEpoch() {
        return accountEpoch;
    }

    /** The newest account of the latest epoch counts. */
    void accounted(Map<String, Long> numbers, long epoch) {
        if (epoch >= accountEpoch) {
            accountEpoch = epoch;
            account = Map.copyOf(numbers);
            deleted(numbers.getOrDefault("deletedTo", deletedTo));
        }
    }

    void deleted(long issuedTo) {
        deletedTo = Math.max(deletedTo, issuedTo);
    }

    /** Announced and not withdrawn, by their number. */
    public NavigableMap<Long, SnapshotManifest> versions() {
        return versions.counting();
    }

    /** What the job has told of learning, newest first. */
    public List<HeardEvent> learning() {
        return learning.newestFirst();
    }

    /** What was tried and how it ended, as far as the job has told, newest first. */
    public List<Trial> trials() {
        return Trial.of(learning.oldestFirst());
    }

    /** The cost curves that workers draft by, as the newest version has them; empty: none is fitted yet. */
    public List<CostPoint> costCurve() {
        return newest() == null ? List.of() : newest().getPolicy().getCostCurve();
    }

    /** Weights by source kind; null: there is no version, or its policy is of a layout that this release does not know. */
    public SourceWeights sourceWeights() {
        return newest() == null ? null : SourceWeights.of(newest().getPolicy());
    }

    /** Sums of outcomes by the beginning of their hour, in epoch milliseconds. */
    public NavigableMap<Long, OutcomeTally> hours() {
        return hours;
    }

    /** Sums of all outcomes that were read. */
    public OutcomeTally outcomes() {
        OutcomeTally all = new OutcomeTally();
        hours.values().forEach(all::add);
        return all;
    }

    /** A number of the job's account; 0 where it has none. */
    long accounted(String name) {
        return account == null ? 0 : account.getOrDefault(name, 0L);
    }

    /** What the books say, of the account and of deletes. */
    List<Finding> books(Collection<Control> deletes, long nowMillis) {
        return Books.lane(lane, account, deletes, deletedTo, nowMillis);
    }

    /** Whether a generation of this lane that was completed then has been deleted, as the job has said. */
    boolean isDeletedTo(long issuedAt) {
        return deletedTo >= issuedAt;
    }

    public LaneFigures figures(long nowMillis) {
        SnapshotManifest newest = newest();
        List<WorkerStatus> live = live(nowMillis);
        return new LaneFigures(
                lane.toString(),
                Shown.text(lane.scope()),
                newest == null ? 0 : VersionText.documents(newest),
                newest == null ? 0 : VersionText.liveTokens(newest),
                account == null ? -1 : accounted("tokensPending"),
                versions().size(),
                newest == null ? 0 : newest.getVersion(),
                newest == null
                        ? -1
                        : Math.max(0, nowMillis - newest.getCreatedAt().toEpochMilli()),
                live.stream()
                        .mapToLong(WorkerStatus::getFreshnessP50Millis)
                        .max()
                        .orElse(-1),
                live.size(),
                (int) live.stream()
                        .filter(status -> newest != null && status.getLoadedVersion() == newest.getVersion())
                        .count(),
                newest == null ? null : tokensPerStep(newest.getStatistics()),
                gain(newest),
                newest != null && newest.getDrift() != null && newest.getDrift().getAlarm());
    }

    /** The version that workers are to serve; null: there is none. */
    public SnapshotManifest newest() {
        return versions().isEmpty() ? null : versions().lastEntry().getValue();
    }

    private static Double tokensPerStep(LaneStatistics statistics) {
        return Ratio.of(statistics.getResponseTokens(), statistics.getSteps());
    }

    /** By evaluation, where the job counts it, else by the workers' own. */
    private Double gain(SnapshotManifest newest) {
        if (newest != null && newest.getEvaluation() != null) {
            for (EvaluatedChoice choice : newest.getEvaluation().getCounterfactuals()) {
                if (choice.getChoice().equals("own-context")) {
                    return Ratio.of(choice.getSteps(), choice.getLiveSteps());
                }
            }
        }
        return outcomes().gain();
    }

    private List<WorkerStatus> live(long nowMillis) {
        return workers.values().stream()
                .filter(reported -> reported.isLive(nowMillis))
                .map(Reported::status)
                .toList();
    }

    /** By their names, also those that are silent. */
    public List<WorkerFigures> workers(long nowMillis) {
        Map<String, OutcomeTally.Steps> served = outcomes().byWorker();
        return workers.values().stream()
                .map(reported -> worker(
                        reported,
                        served.getOrDefault(Shown.text(reported.status().getWorker()), OutcomeTally.Steps.NONE),
                        nowMillis))
                .toList();
    }

    private WorkerFigures worker(Reported reported, OutcomeTally.Steps served, long nowMillis) {
        WorkerStatus status = reported.status();
        long loaded = status.getLoadedVersion();
        return new WorkerFigures(
                Shown.text(status.getWorker()),
                Shown.text(status.getWorkerClass()),
                lane.toString(),
                loaded,
                versions().tailMap(loaded, false).size(),
                loaded <= 0
                        ? -1
                        : versions().isEmpty() ? 0 : Math.max(0, versions().lastKey() - loaded),
                Math.max(0, nowMillis - reported.takenMillis()),
                reported.isLive(nowMillis),
                status.getFreshnessP50Millis(),
                status.getFreshnessP99Millis(),
                status.getFailures(),
                status.getLastFailure(),
                served.acceptedPerStep(),
                served.tokensPerStep());
    }
}
