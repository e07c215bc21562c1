package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Which merges a lane needs now: the fold of generations that wait into the newest segment, rewrites that deletes and age ask for, trims
 * to the budget, merges of older neighbours ({@link SegmentPlanner}), and changes of retention to be judged. Changes nothing: a plan that is lost in a failure is
 * simply made again. Every merge fits into the heap that merges have, and its result into files that can be mapped: a lane whose documents are so
 * short that it would not is trimmed as if it were over its budget.
 */
final class MergePlanning {
    /** Segments are rewritten this often within the time that generations live, to drop those past it. */
    private static final int REWRITES_PER_AGE = 8;
    /** Of the room for older segments; what a lane that outgrows it is cut down to. */
    private static final double TRIMMED_SHARE = 0.95;
    /** A fold that has no room brings at least this part of what it writes anew. */
    private static final int LEAST_PARTS = 16;

    private final String lane;
    private final PublishingOptions options;
    private final Layout layout;
    private final Deletes deletes;
    private final GenerationRetention retention;
    private final RetentionTrial trial;
    private final SegmentPlanner planner;
    private final MergeHeap heap;

    /** @param lane as text */
    MergePlanning(
            String lane,
            PublishingOptions options,
            Layout layout,
            Deletes deletes,
            GenerationRetention retention,
            RetentionTrial trial,
            MergeHeap heap) {
        this.lane = lane;
        this.options = options;
        this.layout = layout;
        this.deletes = deletes;
        this.retention = retention;
        this.trial = trial;
        this.planner = options.planner();
        this.heap = heap;
    }

    /** The fold to do now, if any; when is {@link FoldTiming}'s. */
    Optional<MergePlan> fold(long nowMillis) {
        if (!foldNeeded(nowMillis)) {
            return Optional.empty();
        }
        boolean graduates = !layout.waiting().isEmpty() && graduates(nowMillis);
        List<AdmittedGeneration> generations = thatFit(graduates ? null : layout.newest());
        List<LiveSegment> segments = layout.newest() == null || graduates ? List.of() : List.of(layout.newest());
        return Optional.of(new MergePlan(
                MergePlan.Kind.FOLD,
                lane,
                segments,
                generations,
                graduates ? layout.newest() : null,
                retention.required(nowMillis, options.laneTokensMax()),
                deletes.seen(),
                nowMillis));
    }

    /** As many as there is room for beside a segment, if any; at least one, and so many that the segment is not written anew for a few answers. */
    private List<AdmittedGeneration> thatFit(LiveSegment beside) {
        long heapBytes = beside == null ? 0 : MergeHeap.bytes(beside.stored());
        long fileBytes = beside == null ? 0 : MergeFiles.bytes(beside.stored());
        long tokensMin = beside == null ? 0 : beside.liveTokens() / LEAST_PARTS;
        long tokens = 0;
        List<AdmittedGeneration> generations = new ArrayList<>();
        for (AdmittedGeneration generation : layout.waiting()) {
            heapBytes += MergeHeap.bytes(generation);
            fileBytes += MergeFiles.bytes(generation);
            if (!generations.isEmpty() && tokens >= tokensMin && !fits(heapBytes, fileBytes)) {
                break;
            }
            tokens += generation.tokens().length;
            generations.add(generation);
        }
        return generations;
    }

    private boolean fits(long heapBytes, long fileBytes) {
        return heapBytes <= heap.bytesMax(MergePlan.Kind.FOLD) && fileBytes <= MergeFiles.BYTES_MAX;
    }

    boolean foldNeeded(long nowMillis) {
        return !layout.waiting().isEmpty()
                || (layout.newest() != null
                        && (!deletes.isClean(layout.newest()) || isOverdue(layout.newest(), nowMillis)));
    }

    /**
     * The rewrite, trim or merge of older segments to do now, if any: what has to be done before what is to be judged. Deletes that come without end
     * must not keep the lane from being merged, and merges must not keep a delete from being done in its time.
     */
    Optional<MergePlan> older(long nowMillis) {
        return rewrite(segment -> isOverdue(segment, nowMillis) || deletes.isPressing(segment, nowMillis), nowMillis)
                .or(() -> trim(MergePlan.Kind.BUDGET, Math.max(retention.excessTokens(), excessForRoom()), nowMillis))
                .or(() -> neighboursToMerge(nowMillis))
                .or(() -> rewrite(segment -> !deletes.isClean(segment), nowMillis))
                .or(() -> judged(nowMillis));
    }

    /** The one that has been through the fewest deletes goes first: each has its turn, however many deletes come meanwhile. */
    private Optional<MergePlan> rewrite(Predicate<LiveSegment> needed, long nowMillis) {
        return layout.older().stream()
                .filter(needed)
                .min(Comparator.comparingLong(LiveSegment::tombstonesApplied))
                .map(segment -> plan(MergePlan.Kind.OLDER, List.of(segment), everythingOf(nowMillis), nowMillis));
    }

    private Optional<MergePlan> trim(MergePlan.Kind kind, long excessTokens, long nowMillis) {
        if (excessTokens <= 0 || layout.older().isEmpty()) {
            return Optional.empty();
        }
        LiveSegment oldest = layout.older().get(0);
        Retention kept = retention.required(nowMillis, Math.max(0, oldest.liveTokens() - excessTokens));
        return Optional.of(plan(kind, List.of(oldest), kept, nowMillis));
    }

    private Optional<MergePlan> neighboursToMerge(long nowMillis) {
        if (layout.newest() == null) {
            return Optional.empty();
        }
        long[] olderTokens =
                layout.older().stream().mapToLong(LiveSegment::liveTokens).toArray();
        OptionalInt from = planner.mergeFrom(
                olderTokens,
                layout.newest().liveTokens(),
                nowMillis - layout.newest().begunAt());
        if (from.isEmpty()) {
            return Optional.empty();
        }
        List<LiveSegment> neighbours = List.copyOf(
                layout.older().subList(from.getAsInt(), layout.older().size()));
        return Optional.of(plan(MergePlan.Kind.OLDER, neighbours, everythingOf(nowMillis), nowMillis));
    }

    /** Tokens of the oldest segment to lose at once, so that all older segments could be merged into one; 0 while they can. */
    private long excessForRoom() {
        return Math.max(
                excess(MergeHeap::bytes, heap.bytesMax(MergePlan.Kind.OLDER)),
                excess(MergeFiles::bytes, MergeFiles.BYTES_MAX));
    }

    private long excess(ToLongFunction<StoredSegment> size, long bytesMax) {
        long bytes =
                layout.older().stream().map(LiveSegment::stored).mapToLong(size).sum();
        if (bytes <= bytesMax) {
            return 0;
        }
        StoredSegment oldest = layout.older().get(0).stored();
        double share = (bytes - TRIMMED_SHARE * bytesMax) / size.applyAsLong(oldest);
        return (long) Math.ceil(share * oldest.liveTokens());
    }

    /** A change of retention, one at a time. */
    private Optional<MergePlan> judged(long nowMillis) {
        if (!trial.isOpen(nowMillis)) {
            return Optional.empty();
        }
        long excess = options.retentionJudged() ? retention.judgedExcessTokens() : 0;
        return trim(MergePlan.Kind.JUDGED_BUDGET, excess, nowMillis).or(() -> age(nowMillis));
    }

    private Optional<MergePlan> age(long nowMillis) {
        return layout.older().stream()
                .filter(segment -> retention.agesAgain(segment, nowMillis))
                .findFirst()
                .map(segment ->
                        plan(MergePlan.Kind.JUDGED_HALF_LIFE, List.of(segment), retention.aged(nowMillis), nowMillis));
    }

    private Retention everythingOf(long nowMillis) {
        return retention.required(nowMillis, Long.MAX_VALUE);
    }

    private MergePlan plan(MergePlan.Kind kind, List<LiveSegment> segments, Retention kept, long nowMillis) {
        return new MergePlan(kind, lane, segments, List.of(), null, kept, deletes.seen(), nowMillis);
    }

    private boolean isOverdue(LiveSegment segment, long nowMillis) {
        return nowMillis - segment.mergedAt() > options.generationAgeMillisMax() / REWRITES_PER_AGE;
    }

    /** By the planner's rule, or because there is no room to fold into it once more. */
    private boolean graduates(long nowMillis) {
        if (layout.newest() == null) {
            return false;
        }
        StoredSegment newest = layout.newest().stored();
        AdmittedGeneration next = layout.waiting().get(0);
        boolean hasRoom = fits(
                MergeHeap.bytes(newest) + MergeHeap.bytes(next), MergeFiles.bytes(newest) + MergeFiles.bytes(next));
        boolean outgrown = !hasRoom && layout.older().size() < SegmentPlanner.OLDER_MAX;
        return outgrown
                || planner.graduates(
                        layout.newest().liveTokens(),
                        nowMillis - layout.newest().begunAt(),
                        layout.older().size(),
                        layout.tokensWaiting());
    }
}
