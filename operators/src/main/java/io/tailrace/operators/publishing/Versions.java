package io.tailrace.operators.publishing;

import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.schemas.WorkerPresence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The announced versions of a lane: which can be gone back to, which are withdrawn, and the policy of each. */
final class Versions {
    /** A withdrawal can be lost for so long: by then the brokers have committed or given up its transaction, whose timeout is a quarter of an hour at most. */
    static final long WITHDRAWAL_MILLIS = 1_000_000;

    /** So many workers of a lane are remembered. */
    static final int WORKERS_MAX = 1_024;

    /** So many versions are kept for workers that say they serve them: with the pinned one and those that the limits allow, as many as workers remember. */
    static final int SERVED_MAX = 255 - PublishingOptions.VERSIONS_RETAINED_MAX;

    /** So many withdrawals are remembered. */
    static final int WITHDRAWALS_MAX = 2_048;

    private static final long UNKNOWN_EPOCH = -1;

    private final VersionSpacing spacing;
    private long last;
    private final List<RetainedVersion> retained;
    private final List<Long> unknown;
    private final Deque<Withdrawal> withdrawn;
    private LanePolicy policy;
    private long policiesMade;
    private final Map<Long, LanePolicy> policies;
    private final Map<Long, Long> policyOfVersion;
    private final Map<String, LaneMessage.WorkerReport> workers;
    private long brokersAt;

    /**
     * What is checkpointed of them.
     *
     * @param last the version announced last; 0 before the first
     * @param retained those that can be gone back to, oldest first; the last is the announced one
     * @param unknown those on topic snapshots that are not retained and wait for their withdrawal, oldest first
     * @param withdrawn those whose withdrawal may be lost with its transaction, oldest withdrawal first
     * @param policy what the next announcement carries
     * @param policiesMade number of the last policy made or given, or of the last trial of a retention: they are counted together
     * @param policies those that retained versions carry, by number
     * @param policyOfVersion number of the policy of each retained version
     * @param workers what each said last
     * @param brokersAt the time by the brokers' clock, as it was heard last; 0: never
     */
    record State(
            long last,
            List<RetainedVersion> retained,
            List<Long> unknown,
            List<Withdrawal> withdrawn,
            LanePolicy policy,
            long policiesMade,
            Map<Long, LanePolicy> policies,
            Map<Long, Long> policyOfVersion,
            Map<String, LaneMessage.WorkerReport> workers,
            long brokersAt) {
        static final State NONE = new State(
                0, List.of(), List.of(), List.of(), LanePolicy.defaults(), 0, Map.of(), Map.of(), Map.of(), 0);
    }

    /**
     * A version that was withdrawn.
     *
     * @param epoch of the job that announced it; {@link #UNKNOWN_EPOCH}: it was not retained
     * @param at when, epoch milliseconds
     */
    record Withdrawal(long version, long epoch, long at) {
        private boolean isOf(LaneMessage.AnnouncedVersion announced) {
            return version == announced.version() && epoch == announced.epoch();
        }
    }

    Versions(State state, PublishingOptions options) {
        this.spacing = new VersionSpacing(options.versionsRetained(), options.versionAgeMillisMax());
        this.last = state.last;
        this.retained = new ArrayList<>(state.retained);
        this.unknown = new ArrayList<>(state.unknown);
        this.withdrawn = new ArrayDeque<>(state.withdrawn);
        this.policy = state.policy;
        this.policiesMade = state.policiesMade;
        this.policies = new HashMap<>(state.policies);
        this.policyOfVersion = new HashMap<>(state.policyOfVersion);
        this.workers = new HashMap<>(state.workers);
        this.brokersAt = state.brokersAt;
    }

    State state() {
        return new State(
                last,
                List.copyOf(retained),
                List.copyOf(unknown),
                List.copyOf(withdrawn),
                policy,
                policiesMade,
                Map.copyOf(policies),
                Map.copyOf(policyOfVersion),
                Map.copyOf(workers),
                brokersAt);
    }

    /** The version announced last; 0 before the first. */
    long last() {
        return last;
    }

    /** Those that can be gone back to, oldest first; the last is the announced one. */
    List<RetainedVersion> retained() {
        return Collections.unmodifiableList(retained);
    }

    Optional<RetainedVersion> find(long version) {
        return retained.stream().filter(kept -> kept.version() == version).findFirst();
    }

    /** True if topic snapshots holds no version of the lane, as far as is known. */
    boolean areNone() {
        return retained.isEmpty() && unknown.isEmpty();
    }

    /** The announced one. */
    Optional<RetainedVersion> announced() {
        return retained.isEmpty() ? Optional.empty() : Optional.of(retained.get(retained.size() - 1));
    }

    /** What the next announcement carries. */
    LanePolicy policy() {
        return policy;
    }

    void adopt(LanePolicy next) {
        policy = next;
    }

    /** The policy that a version carries is live again. */
    void goBackTo(RetainedVersion version) {
        policy = policies.getOrDefault(policyOfVersion.getOrDefault(version.version(), 0L), LanePolicy.defaults());
    }

    /** Number of the last policy or trial. */
    long policiesMade() {
        return policiesMade;
    }

    /** Policies and trials up to this number were made. */
    void madeTo(long number) {
        policiesMade = Math.max(policiesMade, number);
    }

    /**
     * A job that was down heard of no worker: what each said last counts as said now, until it says more. Nor does it know whether its last transactions were
     * committed: what it withdrew last is withdrawn once more.
     */
    void restored(long nowMillis) {
        withdrawn.forEach(withdrawal -> isStranger(withdrawal.version()));
        withdrawn.clear();
        workers.replaceAll((name, report) -> report.at() >= nowMillis
                ? report
                : new LaneMessage.WorkerReport(report.lane(), report.worker(), report.version(), nowMillis));
    }

    /**
     * What is older than what is known says nothing; workers that are gone are forgotten. One that finds {@link #WORKERS_MAX} others is left out until one of
     * them is gone: who invents names drives nobody out.
     */
    void onWorker(LaneMessage.WorkerReport report) {
        brokersAt = report.at();
        workers.values().removeIf(known -> WorkerPresence.isGone(known.at(), report.at()));
        if (workers.containsKey(report.worker()) || workers.size() < WORKERS_MAX) {
            workers.merge(report.worker(), report, (known, heard) -> heard.at() < known.at() ? known : heard);
        }
    }

    /**
     * Takes note of a version on topic snapshots; true if it is to be withdrawn. One that is not retained is, by an announcement of its own, also on a lane
     * without traffic: its files are not kept, and a delete could not reach it. One newer than any of this state, announced after
     * the savepoint that was restored, is superseded by it. Two jobs whose clocks are behind the last version may choose the same number: the topic keeps
     * what was written last, so the version that is retained under that number goes, too. One that was withdrawn before it
     * came back here is no stranger.
     */
    boolean isStranger(LaneMessage.AnnouncedVersion announced) {
        brokersAt = announced.at();
        boolean another =
                retained.removeIf(kept -> kept.version() == announced.version() && kept.epoch() != announced.epoch());
        if (another) {
            forgetPolicies(List.of(announced.version()));
        }
        boolean isWithdrawn = withdrawn.stream().anyMatch(withdrawal -> withdrawal.isOf(announced));
        return !isWithdrawn && isStranger(announced.version());
    }

    private boolean isStranger(long version) {
        if (find(version).isPresent() || unknown.contains(version)) {
            return false;
        }
        return unknown.add(version);
    }

    /**
     * Number of the next version: higher than any that is known of and that readers serve ({@link VersionNumbers}). A number beyond these, of a
     * clock that was wrong, is not counted on from.
     */
    long next(long nowMillis) {
        long newest = LongStream.concat(LongStream.of(last), unknown.stream().mapToLong(Long::longValue))
                .filter(version -> isPlausible(version, nowMillis))
                .max()
                .orElse(0);
        return Math.max(newest + 1, nowMillis);
    }

    /** Whether readers take it. It is this job's clock that may be behind, so the brokers' counts as well, as it was heard last: a wrong one is forgotten with the next record. */
    private boolean isPlausible(long version, long nowMillis) {
        return VersionNumbers.isPlausible(version, Math.max(nowMillis, brokersAt));
    }

    /** The version is announced and can be gone back to; those that it pushes out come back. */
    List<Long> announce(RetainedVersion version, long nowMillis) {
        last = version.version();
        retained.add(version);
        policies.put(policy.number(), policy);
        policyOfVersion.put(last, policy.number());
        return drop(version.tombstonesApplied(), nowMillis);
    }

    /**
     * Versions that are not this state's, whose number no reader takes, or that hold what was deleted and the one announced just now has been freed of, go at once, whatever else; then those
     * beyond the limits of count and age.
     */
    private List<Long> drop(long tombstonesApplied, long nowMillis) {
        List<Long> dropped = new ArrayList<>(dropUnknown(nowMillis));
        dropped.addAll(dropRetained(
                kept -> kept.tombstonesApplied() < tombstonesApplied || !isPlausible(kept.version(), nowMillis),
                nowMillis));
        dropped.addAll(expire(nowMillis));
        return dropped;
    }

    /** Those go that are not retained and wait for their withdrawal. */
    List<Long> dropUnknown(long nowMillis) {
        List<Long> dropped = List.copyOf(unknown);
        unknown.clear();
        dropped.forEach(version -> remember(new Withdrawal(version, UNKNOWN_EPOCH, nowMillis)));
        return dropped;
    }

    private List<Long> dropRetained(Predicate<RetainedVersion> goes, long nowMillis) {
        List<RetainedVersion> gone = retained.stream().filter(goes).toList();
        retained.removeAll(gone);
        gone.forEach(kept -> remember(new Withdrawal(kept.version(), kept.epoch(), nowMillis)));
        List<Long> dropped = gone.stream().map(RetainedVersion::version).toList();
        forgetPolicies(dropped);
        return dropped;
    }

    private void remember(Withdrawal withdrawal) {
        withdrawn.add(withdrawal);
        while (withdrawn.size() > WITHDRAWALS_MAX || withdrawn.peek().at() < withdrawal.at() - WITHDRAWAL_MILLIS) {
            withdrawn.remove();
        }
    }

    /**
     * Versions beyond the limits of count and age go ({@link VersionSpacing}), but for pinned ones and those that workers say they serve, the newest {@link
     * #SERVED_MAX} of them: whoever may write to topic workers can claim any.
     */
    List<Long> expire(long nowMillis) {
        if (retained.isEmpty()) {
            return List.of();
        }
        Set<Long> served = served(nowMillis);
        List<Long> expired = spacing.excess(
                retained.stream().map(kept -> standing(kept, served)).toList(), nowMillis);
        return dropRetained(kept -> expired.contains(kept.version()), nowMillis);
    }

    /** True if all that those hold that can be gone back to was completed before. */
    boolean isAllBefore(long completedAfter) {
        return retained.stream()
                .flatMap(RetainedVersion::segments)
                .allMatch(stored -> stored.newestCompletedAt() < completedAfter);
    }

    /** All go, pinned and served ones, too. */
    List<Long> dropAll(long nowMillis) {
        return dropRetained(kept -> true, nowMillis);
    }

    private VersionSpacing.Version standing(RetainedVersion kept, Set<Long> served) {
        return new VersionSpacing.Version(
                kept.version(),
                policyOfVersion.getOrDefault(kept.version(), 0L),
                kept.pinned() || served.contains(kept.version()));
    }

    private void forgetPolicies(List<Long> versions) {
        policyOfVersion.keySet().removeAll(versions);
        policies.keySet().retainAll(policyOfVersion.values());
    }

    private Set<Long> served(long nowMillis) {
        Set<Long> claimed = workers.values().stream()
                .filter(worker -> !WorkerPresence.isGone(worker.at(), nowMillis))
                .map(LaneMessage.WorkerReport::version)
                .collect(Collectors.toSet());
        return retained.stream()
                .map(RetainedVersion::version)
                .filter(claimed::contains)
                .sorted(Comparator.reverseOrder())
                .limit(SERVED_MAX)
                .collect(Collectors.toSet());
    }

    /** Live workers that serve the lane. */
    int followers(long nowMillis) {
        return (int) workers.values().stream()
                .filter(worker -> WorkerPresence.isLive(worker.at(), nowMillis))
                .count();
    }

    /** Versions with a segment that cannot be read any more cannot be gone back to: the next announcement withdraws them. How many. */
    int lose(Predicate<StoredSegment> unreadable) {
        List<Long> lost = retained.stream()
                .filter(version -> version.segments().anyMatch(unreadable))
                .map(RetainedVersion::version)
                .toList();
        retained.removeIf(version -> lost.contains(version.version()));
        unknown.addAll(lost);
        forgetPolicies(lost);
        return lost.size();
    }

    /** This version is pinned and no other; of 0, none. */
    void pin(long version) {
        retained.replaceAll(kept -> kept.withPinned(kept.version() == version));
    }

    void addPaths(Set<String> paths) {
        retained.forEach(version -> version.segments().forEach(segment -> segment.addPaths(paths)));
    }
}
