package io.tailrace.operators.publishing;

import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstone;
import io.tailrace.operators.control.Tombstones;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the lane was asked to forget, and the promise on it: within {@code deleteMillisMax} of being heard of, a delete is done in every version that is announced
 * and not withdrawn. As a rule the segments that hold what it forbids are rewritten within seconds. What cannot be rewritten by then, because the store fails or
 * merges take too long, is left out of the announced version until it is: the lane drafts worse for a while, and holds nothing it should not.
 */
final class Deletes {
    /** Work that is not pressing goes first while a delete has waited for less than this part of its time. */
    private static final int PARTS = 4;

    private final PublishingOptions options;
    private final List<Tombstone> tombstones;
    private final Set<String> commandIds = new HashSet<>();
    /** The same, arranged. */
    private Tombstones arranged;
    /** A copy that nothing is added to; null: to be made anew. */
    private Tombstones forbidden;

    private long seen;
    private long forgottenTo;
    private long holdTo;
    /** Not checkpointed: every delete issued by then was taken up, or covers nothing that the lane can hold. */
    private long heardTo;

    /**
     * What is checkpointed of them.
     *
     * @param tombstones those that still matter
     * @param seen sequence of the last one
     * @param forgottenTo those issued up to this time were applied and forgotten, or came before the lane, epoch milliseconds
     * @param holdTo nothing is announced before every segment has these tombstones applied: deletes that a restore found
     */
    record State(List<Tombstone> tombstones, long seen, long forgottenTo, long holdTo) {
        static final State NONE = new State(List.of(), 0, 0, 0);
    }

    Deletes(State state, PublishingOptions options) {
        this.options = options;
        this.tombstones = new ArrayList<>(state.tombstones);
        arrange();
        this.seen = state.seen;
        this.forgottenTo = state.forgottenTo;
        this.holdTo = state.holdTo;
    }

    State state() {
        return new State(List.copyOf(tombstones), seen, forgottenTo, holdTo);
    }

    /** Takes a delete up; false if it was before. */
    boolean take(ControlCommand delete, long nowMillis) {
        boolean isNew = commandIds.add(delete.commandId());
        if (isNew) {
            seen++;
            Tombstone tombstone = Tombstone.of(delete, seen, nowMillis);
            tombstones.add(tombstone);
            arranged.add(tombstone);
            forbidden = null;
        }
        return isNew;
    }

    private void arrange() {
        commandIds.clear();
        tombstones.forEach(tombstone -> commandIds.add(tombstone.commandId()));
        arranged = new Tombstones(tombstones);
        forbidden = null;
    }

    /** True unless it was applied and forgotten, or came before the lane. */
    boolean mayMiss(ControlCommand delete) {
        return delete.issuedAt() > forgottenTo;
    }

    /** The lane holds nothing that a delete covers which is remembered no more: after a restore none of these is taken up either. */
    void holdsNothing(long nowMillis) {
        forgottenTo = Math.max(forgottenTo, nowMillis - options.tombstoneMillis() - 1);
    }

    /** Every delete given so far was taken up, but for those that are remembered no more, of which the lane can hold nothing. */
    void heardAll(long nowMillis) {
        heardTo = nowMillis - options.tombstoneMillis();
    }

    /** Nothing is announced before all that were taken up are applied. */
    void hold() {
        holdTo = seen;
    }

    List<Tombstone> tombstones() {
        return Collections.unmodifiableList(tombstones);
    }

    /** The same, arranged for asking in the lane's own thread: the next that is taken up is added to them. */
    Tombstones arranged() {
        return arranged;
    }

    /** The same, arranged for merges, whose threads are others. */
    Tombstones forbidden() {
        if (forbidden == null) {
            forbidden = new Tombstones(tombstones);
        }
        return forbidden;
    }

    /** Sequence of the last one. */
    long seen() {
        return seen;
    }

    /** Nothing is announced that is clean to less, unless it must be. */
    long holdTo() {
        return holdTo;
    }

    /** True if it holds nothing that a known delete forbids. */
    boolean isClean(LiveSegment segment) {
        return segment.tombstonesApplied() >= seen;
    }

    /** True if a version that is clean to this sequence holds what a delete forbids whose time is over: another must be announced, whatever is left out. */
    boolean isOver(long cleanTo, long nowMillis) {
        return cleanTo < dueTo(nowMillis);
    }

    /** A version: the lane's segments, but for those that hold what must not be held any more. */
    RetainedVersion version(long number, long epoch, Layout layout, long nowMillis) {
        long least = Math.max(dueTo(nowMillis), holdTo);
        List<LiveSegment> older = layout.older().stream()
                .filter(segment -> segment.tombstonesApplied() >= least)
                .toList();
        LiveSegment newest = layout.newest();
        newest = newest != null && newest.tombstonesApplied() >= least ? newest : null;
        long applied = newest == null ? seen : newest.tombstonesApplied();
        for (LiveSegment segment : older) {
            applied = Math.min(applied, segment.tombstonesApplied());
        }
        return new RetainedVersion(number, epoch, older, newest, applied, false);
    }

    /** True if a delete has waited for so long that rewriting this segment goes before other work. */
    boolean isPressing(LiveSegment segment, long nowMillis) {
        noneIsHeardAfter(nowMillis);
        long waited = options.deleteMillisMax() / PARTS;
        return tombstones.stream()
                .anyMatch(tombstone -> tombstone.sequence() > segment.tombstonesApplied()
                        && nowMillis - tombstone.heardAt() >= waited);
    }

    /** Every delete that was issued by then is done where those up to {@code sequence} are, epoch milliseconds; 0: none is known. */
    long issuedTo(long sequence) {
        long to = Math.max(forgottenTo, heardTo);
        for (Tombstone tombstone : tombstones) {
            to = Math.max(to, tombstone.issuedAt());
        }
        for (Tombstone tombstone : tombstones) {
            to = tombstone.sequence() > sequence ? Math.min(to, tombstone.issuedAt() - 1) : to;
        }
        return to;
    }

    /** Sequence of the last delete whose time is over; 0: none. */
    private long dueTo(long nowMillis) {
        noneIsHeardAfter(nowMillis);
        return tombstones.stream()
                .filter(tombstone -> nowMillis - tombstone.heardAt() >= options.deleteMillisMax())
                .mapToLong(Tombstone::sequence)
                .max()
                .orElse(0);
    }

    /** A clock that went back makes no delete wait for the time that it was set back from. */
    private void noneIsHeardAfter(long nowMillis) {
        tombstones.replaceAll(tombstone -> tombstone.heardAt() <= nowMillis ? tombstone : tombstone.heardBy(nowMillis));
    }

    /** Forgets what is applied everywhere and so old that no generation comes any more that it covers. */
    void forget(long cleanTo, long nowMillis) {
        long issuedBefore = nowMillis - options.tombstoneMillis();
        boolean any = tombstones.removeIf(tombstone -> {
            boolean done = tombstone.issuedAt() < issuedBefore && tombstone.sequence() <= cleanTo;
            if (done) {
                forgottenTo = Math.max(forgottenTo, tombstone.issuedAt());
            }
            return done;
        });
        if (any) {
            arrange();
        }
    }
}
