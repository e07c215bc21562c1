package io.tailrace.lab.replay;

import io.tailrace.operators.publishing.PublishingOptions;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.util.ArrayList;
import java.util.List;

/**
 * A lane as workers see it, without a job, all in memory: what is taken in is found at once among the fresh responses; every
 * {@value #ANNOUNCE_REQUESTS} responses a snapshot takes them over into its newest segment. The job's own {@link SegmentPlanner} at its
 * default settings says when that graduates and which older ones are merged; nothing graduates for its age, since replay has no
 * clock. A batch of several goes into the newest segment at once, as an announcement brings what others answered.
 */
public final class ReplayLane {
    static final int ANNOUNCE_REQUESTS = 32;
    private static final long NO_AGE = 0;
    private static final SegmentPlanner PLANNER = PublishingOptions.defaults().planner();

    private final List<Part> older = new ArrayList<>();
    private final List<RememberedAnswer> fresh = new ArrayList<>();
    private Part newest = Part.of(List.of());
    private FreshIndex freshIndex = Part.of(List.of()).index();
    private LaneVocabulary vocabulary = LaneVocabulary.EMPTY;

    /** Answers as one segment. */
    private record Part(List<RememberedAnswer> answers, FreshIndex index) {
        static Part of(List<RememberedAnswer> answers) {
            return new Part(new ArrayList<>(answers), FreshIndex.ofAnswers(answers));
        }

        static Part merged(List<Part> parts) {
            return of(parts.stream().flatMap(part -> part.answers.stream()).toList());
        }

        void add(RememberedAnswer answer) {
            answers.add(answer);
            index.add(answer, 0);
        }
    }

    /** A lane that holds these answers already. */
    ReplayLane(List<RememberedAnswer> warm) {
        if (!warm.isEmpty()) {
            older.add(Part.of(warm));
            vocabulary = vocabulary();
        }
    }

    /** An empty lane. */
    public ReplayLane() {
        this(List.of());
    }

    /** What a draft looks into now. */
    public LaneIndex index() {
        return index(fresh.isEmpty() ? null : freshIndex);
    }

    /** The same, with a worker's own fresh responses instead of the lane's; null: none. */
    LaneIndex index(OccurrenceIndex ownFresh) {
        return new LaneIndex(
                older.stream().map(Part::index).toList(),
                newest.answers().isEmpty() ? null : newest.index(),
                ownFresh,
                vocabulary);
    }

    /** Takes in one answer: it is among the fresh ones now. */
    public void add(RememberedAnswer answer) {
        fresh.add(answer);
        freshIndex.add(answer, 0);
        if (fresh.size() == ANNOUNCE_REQUESTS) {
            announce(fresh);
            fresh.clear();
            freshIndex = Part.of(List.of()).index();
        }
    }

    /** Takes in a batch: it is in the newest segment now. */
    void announce(List<RememberedAnswer> answers) {
        long tokens =
                answers.stream().mapToLong(answer -> answer.tokens().length).sum();
        if (PLANNER.graduates(newest.index().tokens(), NO_AGE, older.size(), tokens)) {
            older.add(Part.of(newest.answers()));
            newest = Part.of(List.of());
        }
        answers.forEach(newest::add);
        long[] sizes = older.stream().mapToLong(part -> part.index().tokens()).toArray();
        PLANNER.mergeFrom(sizes, newest.index().tokens(), NO_AGE).ifPresent(from -> {
            List<Part> merging = older.subList(from, older.size());
            Part merged = Part.merged(merging);
            merging.clear();
            older.add(merged);
        });
        vocabulary = vocabulary();
    }

    /** Counted once an announcement, as by whoever loads a snapshot. */
    private LaneVocabulary vocabulary() {
        return LaneVocabulary.of(older.stream().map(Part::index).toList(), newest.index());
    }
}
