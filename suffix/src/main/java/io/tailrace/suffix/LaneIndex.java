package io.tailrace.suffix;

import io.tailrace.suffix.draft.Draft;
import java.util.List;

/**
 * The shared sources a draft looks into, as one immutable value: swapped whole.
 *
 * @param older the snapshot's older segments, at most three
 * @param newest the snapshot's newest segment, or null
 * @param fresh generations that no snapshot holds yet, or null
 * @param vocabulary what the snapshot says of each token
 */
public record LaneIndex(
        List<? extends OccurrenceIndex> older,
        OccurrenceIndex newest,
        OccurrenceIndex fresh,
        LaneVocabulary vocabulary) {
    /** Nothing is shared: drafts come from the own context alone. */
    public static final LaneIndex EMPTY = new LaneIndex(List.of(), null, null);

    /**
     * Copies the list.
     *
     * @param older the snapshot's older segments, at most three
     * @param newest the snapshot's newest segment, or null
     * @param fresh generations that no snapshot holds yet, or null
     * @param vocabulary what the snapshot says of each token
     */
    public LaneIndex {
        older = List.copyOf(older);
    }

    /**
     * Counts the vocabulary of the snapshot's segments, and has them make the postings of their signatures: once a snapshot, not once a draft.
     *
     * @param older the snapshot's older segments, at most three
     * @param newest the snapshot's newest segment, or null
     * @param fresh generations that no snapshot holds yet, or null
     */
    public LaneIndex(List<? extends OccurrenceIndex> older, OccurrenceIndex newest, OccurrenceIndex fresh) {
        this(older, newest, fresh, LaneVocabulary.of(older, newest));
        older.forEach(LaneIndex::makePostings);
        if (newest != null) {
            makePostings(newest);
        }
    }

    /**
     * Whether the tokens of a draft from it are of the lane's vocabulary. One that is not was read from a segment that was damaged since it was
     * checked.
     *
     * @param draft grown from this index
     * @return false if a token of it is not
     */
    public boolean mayHaveSaid(Draft draft) {
        int size = newest == null ? Integer.MAX_VALUE : newest.vocabularySize();
        for (OccurrenceIndex segment : older) {
            size = Math.min(size, segment.vocabularySize());
        }
        return draft.isWithin(size);
    }

    private static void makePostings(OccurrenceIndex index) {
        index.signed().forEach(SignedAnswers::postings);
    }
}
