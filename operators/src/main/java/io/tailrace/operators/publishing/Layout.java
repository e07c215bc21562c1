package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The lane's segments as the next announcement will name them, what waits to be folded into them, and the books of both. Merged segments take the place of
 * those they were made of, if these are still there.
 */
final class Layout {
    private final String lane;
    private final List<LiveSegment> older;
    private LiveSegment newest;
    private final List<AdmittedGeneration> waiting;
    private final List<Long> completionsFolded;
    private final Map<Integer, FoldedOffset> offsets;
    private final Map<Integer, ShardProgress.Counters> shards;
    private long tokensExpired;
    private long tokensDeleted;
    private long tokensLost;
    private long tokensFolded;
    private long tokensWaiting;
    private long bytesWaiting;

    /**
     * What is checkpointed of it.
     *
     * @param older at most three, oldest first
     * @param newest null if there is none
     * @param waiting generations that are not folded yet, in the order of their arrival
     * @param completionsFolded completion times of the generations folded since the last announcement
     * @param offsets how far each partition of topic generations is folded
     * @param shards each one's numbers as it last reported them
     * @param tokensExpired tokens that left the lane for age, budget or a rollback
     * @param tokensDeleted tokens that deletes removed from segments and from what waits
     * @param tokensLost tokens of segments that the store damaged or lost
     */
    record State(
            List<LiveSegment> older,
            LiveSegment newest,
            List<AdmittedGeneration> waiting,
            List<Long> completionsFolded,
            Map<Integer, FoldedOffset> offsets,
            Map<Integer, ShardProgress.Counters> shards,
            long tokensExpired,
            long tokensDeleted,
            long tokensLost) {
        static final State EMPTY = new State(List.of(), null, List.of(), List.of(), Map.of(), Map.of(), 0, 0, 0);
    }

    /**
     * The newest record of a partition that is folded. Offsets begin anew in another Kafka, or where the topic is made anew:
     * there the brokers take a record later and give it a smaller one.
     *
     * @param arrivedAt when the brokers took it, epoch milliseconds
     */
    record FoldedOffset(long offset, long arrivedAt) {
        /** The newer of this and one that is folded next; a greater offset is, whatever the brokers' clocks say. */
        FoldedOffset followedBy(FoldedOffset next) {
            return next.offset > offset || next.arrivedAt > arrivedAt ? next : this;
        }
    }

    /** @param lane as text, for errors */
    Layout(String lane, State state) {
        this.lane = lane;
        this.older = new ArrayList<>(state.older);
        this.newest = state.newest;
        this.waiting = new ArrayList<>(state.waiting);
        this.tokensWaiting = tokens(waiting);
        this.bytesWaiting =
                waiting.stream().mapToLong(AdmittedGeneration::heapBytes).sum();
        this.completionsFolded = new ArrayList<>(state.completionsFolded);
        this.offsets = new HashMap<>(state.offsets);
        this.shards = new HashMap<>(state.shards);
        this.tokensExpired = state.tokensExpired;
        this.tokensDeleted = state.tokensDeleted;
        this.tokensLost = state.tokensLost;
    }

    State state() {
        return new State(
                List.copyOf(older),
                newest,
                List.copyOf(waiting),
                List.copyOf(completionsFolded),
                Map.copyOf(offsets),
                Map.copyOf(shards),
                tokensExpired,
                tokensDeleted,
                tokensLost);
    }

    /** Oldest first. */
    List<LiveSegment> older() {
        return Collections.unmodifiableList(older);
    }

    /** Null if there is none. */
    LiveSegment newest() {
        return newest;
    }

    /** Generations that wait to be folded. */
    List<AdmittedGeneration> waiting() {
        return Collections.unmodifiableList(waiting);
    }

    long tokensWaiting() {
        return tokensWaiting;
    }

    /** What those take of the heap, about. */
    long bytesWaiting() {
        return bytesWaiting;
    }

    static long tokens(List<AdmittedGeneration> generations) {
        return generations.stream()
                .mapToLong(generation -> generation.tokens().length)
                .sum();
    }

    /** Tokens that no announcement has told of; what was folded before a restore is not counted, which makes an announcement due itself. */
    long untoldTokens() {
        return tokensFolded + tokensWaiting;
    }

    /** Completion times of what was folded since the last announcement. */
    List<Long> completionsFolded() {
        return Collections.unmodifiableList(completionsFolded);
    }

    /** Newest folded offset of each partition of topic generations. */
    Map<Integer, Long> offsets() {
        Map<Integer, Long> newest = new HashMap<>();
        offsets.forEach((partition, folded) -> newest.put(partition, folded.offset()));
        return newest;
    }

    long tokensDeleted() {
        return tokensDeleted;
    }

    long liveTokens() {
        long live = newest == null ? 0 : newest.liveTokens();
        for (LiveSegment segment : older) {
            live += segment.liveTokens();
        }
        return live;
    }

    int liveSegments() {
        return older.size() + (newest == null ? 0 : 1);
    }

    /** Sequence up to which every segment has tombstones applied; {@code all} if there is no segment. */
    long cleanTo(long all) {
        long cleanTo = newest == null ? all : newest.tombstonesApplied();
        for (LiveSegment segment : older) {
            cleanTo = Math.min(cleanTo, segment.tombstonesApplied());
        }
        return cleanTo;
    }

    void addPaths(Set<String> paths) {
        older.forEach(segment -> segment.stored().addPaths(paths));
        if (newest != null) {
            newest.stored().addPaths(paths);
        }
    }

    /** Takes in how a shard stands, and what it passes on unless that is forbidden: the shard may not have heard of a delete yet. */
    void onProgress(ShardProgress progress, Tombstones forbidden) {
        shards.put(progress.shard(), progress.counters());
        AdmittedGeneration generation = progress.generation();
        if (generation == null) {
            return;
        }
        if (isForbidden(generation, forbidden)) {
            tokensDeleted += generation.tokens().length;
        } else {
            waiting.add(generation);
            tokensWaiting += generation.tokens().length;
            bytesWaiting += generation.heapBytes();
        }
    }

    /** Removes what is forbidden from what waits. */
    void forget(Tombstones forbidden) {
        waiting.removeIf(generation -> {
            boolean gone = isForbidden(generation, forbidden);
            if (gone) {
                waitsNoMore(generation);
                tokensDeleted += generation.tokens().length;
            }
            return gone;
        });
    }

    private static boolean isForbidden(AdmittedGeneration generation, Tombstones forbidden) {
        return forbidden.covers(generation.requestHigh(), generation.requestLow(), generation.completedAt());
    }

    private void waitsNoMore(AdmittedGeneration generation) {
        tokensWaiting -= generation.tokens().length;
        bytesWaiting -= generation.heapBytes();
    }

    /** Drops segments of which all was completed before; tokens that went. */
    long dropCompletedBefore(long completedAfter) {
        long before = liveTokens();
        older.removeIf(segment -> segment.stored().newestCompletedAt() < completedAfter);
        if (newest != null && newest.stored().newestCompletedAt() < completedAfter) {
            newest = null;
        }
        return expire(before - liveTokens());
    }

    /** Drops what waits and was completed before. */
    void dropWaitingBefore(long completedAfter) {
        waiting.removeIf(generation -> {
            boolean gone = generation.completedAt() < completedAfter;
            if (gone) {
                waitsNoMore(generation);
                expire(generation.tokens().length);
            }
            return gone;
        });
    }

    /** True if every segment was completed before. */
    boolean isAllBefore(long completedAfter) {
        return (newest == null || newest.stored().newestCompletedAt() < completedAfter)
                && older.stream().allMatch(segment -> segment.stored().newestCompletedAt() < completedAfter);
    }

    /** True if no segment is there, and nothing waits. */
    boolean isEmpty() {
        return older.isEmpty() && newest == null && waiting.isEmpty();
    }

    /** Drops the oldest segments that are part of an excess as a whole; tokens that went. */
    long dropOldest(long excessTokens) {
        long dropped = 0;
        while (!older.isEmpty() && older.get(0).liveTokens() <= excessTokens - dropped) {
            dropped += older.remove(0).liveTokens();
        }
        return expire(dropped);
    }

    /** Drops what a segment holds that cannot be read any more; its tokens, empty if the lane does not have it. */
    OptionalLong lose(Predicate<StoredSegment> unreadable) {
        long tokens = 0;
        boolean any = false;
        for (LiveSegment segment : List.copyOf(older)) {
            if (unreadable.test(segment.stored())) {
                older.remove(segment);
                tokens += segment.liveTokens();
                any = true;
            }
        }
        if (newest != null && unreadable.test(newest.stored())) {
            tokens += newest.liveTokens();
            newest = null;
            any = true;
        }
        tokensLost += tokens;
        return any ? OptionalLong.of(tokens) : OptionalLong.empty();
    }

    private long expire(long tokens) {
        tokensExpired += tokens;
        return tokens;
    }

    /**
     * What came of a merge's result.
     *
     * @param fits false: the lane has changed meanwhile so that it does not fit any more
     * @param cause to announce the lane; null: none
     */
    record Adoption(boolean fits, AnnouncementCause cause) {
        private static final Adoption NONE = new Adoption(false, null);
    }

    /** Takes the result of a plan whose result is not judged. */
    Adoption adopt(MergePlan.Outcome outcome) {
        Adoption adoption = outcome.plan().kind() == MergePlan.Kind.FOLD ? adoptFold(outcome) : adoptOlder(outcome);
        if (adoption.fits()) {
            requireBalance(outcome);
            tokensExpired += outcome.expiredTokens();
            tokensDeleted += outcome.deletedTokens();
        }
        return adoption;
    }

    /** A merge loses nothing but what it says: a loss would go unjudged and unseen. */
    private void requireBalance(MergePlan.Outcome outcome) {
        long before = outcome.plan().inputTokens();
        long after = outcome.merged() == null ? 0 : outcome.merged().liveTokens();
        if (before != after + outcome.expiredTokens() + outcome.deletedTokens()) {
            throw new IllegalStateException("a merge of %d tokens left %d, with %d expired and %d deleted (lane %s)"
                    .formatted(before, after, outcome.expiredTokens(), outcome.deletedTokens(), lane));
        }
    }

    private Adoption adoptFold(MergePlan.Outcome outcome) {
        MergePlan plan = outcome.plan();
        boolean begins = plan.segments().isEmpty();
        LiveSegment base = begins ? plan.graduating() : plan.segments().get(0);
        if (!Objects.equals(base, newest)
                || !waitingBeginWith(plan.generations())
                || (plan.graduating() != null && older.size() >= SegmentPlanner.OLDER_MAX)) {
            return Adoption.NONE;
        }
        if (plan.graduating() != null) {
            older.add(plan.graduating());
        }
        LiveSegment before = newest;
        newest = outcome.live(begins ? plan.plannedAt() : base.begunAt(), begins ? plan.plannedAt() : base.agedAt());
        plan.generations().forEach(this::folded);
        waiting.subList(0, plan.generations().size()).clear();
        boolean changed = !plan.generations().isEmpty() || !sameContent(before, newest);
        return new Adoption(true, changed ? AnnouncementCause.CADENCE : null);
    }

    private void folded(AdmittedGeneration generation) {
        FoldedOffset folded = new FoldedOffset(generation.offset(), generation.arrivedAt());
        offsets.merge(generation.partition(), folded, FoldedOffset::followedBy);
        tokensFolded += generation.tokens().length;
        waitsNoMore(generation);
        completionsFolded.add(generation.completedAt());
    }

    private boolean waitingBeginWith(List<AdmittedGeneration> planned) {
        if (planned.size() > waiting.size()) {
            return false;
        }
        for (int i = 0; i < planned.size(); i++) {
            if (!waiting.get(i).isOf(planned.get(i))) {
                return false;
            }
        }
        return true;
    }

    private Adoption adoptOlder(MergePlan.Outcome outcome) {
        List<LiveSegment> planned = outcome.plan().segments();
        int first = Collections.indexOfSubList(older, planned);
        if (first < 0) {
            return Adoption.NONE;
        }
        long agedAt = planned.stream().mapToLong(LiveSegment::agedAt).min().orElseThrow();
        LiveSegment merged = outcome.live(planned.get(0).begunAt(), agedAt);
        boolean changed = planned.size() > 1 || !sameContent(planned.get(0), merged);
        older.subList(first, first + planned.size()).clear();
        if (merged != null) {
            older.add(first, merged);
        }
        return new Adoption(true, changed ? AnnouncementCause.MERGE : null);
    }

    private static boolean sameContent(LiveSegment before, LiveSegment after) {
        return Objects.equals(before == null ? null : before.stored(), after == null ? null : after.stored());
    }

    /** An older segment that holds just this; null if there is none. */
    LiveSegment find(StoredSegment stored) {
        return older.stream()
                .filter(segment -> segment.stored().equals(stored))
                .findFirst()
                .orElse(null);
    }

    /**
     * Puts a segment in the place of an older one.
     *
     * @param by null: nothing is left
     * @param expired tokens that leave the lane with it
     */
    void replace(LiveSegment segment, LiveSegment by, long expired) {
        int place = older.indexOf(segment);
        older.remove(place);
        if (by != null) {
            older.add(place, by);
        }
        tokensExpired += expired;
    }

    /** Goes back to what a version holds. */
    void goBackTo(RetainedVersion version) {
        long before = liveTokens();
        older.clear();
        older.addAll(version.older());
        newest = version.newest();
        completionsFolded.clear();
        tokensFolded = 0;
        tokensExpired += before - liveTokens();
    }

    /** What was folded until now is announced. */
    void announced() {
        completionsFolded.clear();
        tokensFolded = 0;
    }

    /**
     * The lane's books, each number from its own source, so that the equation <i>admitted = live + pending + expired + deleted + lost</i>
     * says something: admitted from the shards' reports, pending from what waits here, live from the files, expired and deleted from the merges that
     * dropped them.
     */
    void account(Map<String, Long> numbers) {
        long deleted = tokensDeleted;
        for (ShardProgress.Counters counters : shards.values()) {
            numbers.merge("recordsAdmitted", counters.recordsAdmitted(), Long::sum);
            numbers.merge("recordsDuplicate", counters.recordsDuplicate(), Long::sum);
            numbers.merge("recordsRejected", counters.recordsRejected(), Long::sum);
            numbers.merge("tokensAdmitted", counters.tokensAdmitted(), Long::sum);
            deleted += counters.tokensDeleted();
        }
        for (String counted : List.of("recordsAdmitted", "recordsDuplicate", "recordsRejected", "tokensAdmitted")) {
            numbers.putIfAbsent(counted, 0L);
        }
        numbers.put("tokensLive", liveTokens());
        numbers.put("tokensPending", tokensWaiting);
        numbers.put("tokensExpired", tokensExpired);
        numbers.put("tokensDeleted", deleted);
        numbers.put("tokensLost", tokensLost);
    }
}
