package io.tailrace.suffix;

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
     * Counts the vocabulary of the snapshot's segments, and has them make the postings of their signatures, the newest first: once a snapshot, not
     * once a draft.
     *
     * @param older the snapshot's older segments, at most three
     * @param newest the snapshot's newest segment, or null
     * @param fresh generations that no snapshot holds yet, or null
     */
    public LaneIndex(List<? extends OccurrenceIndex> older, OccurrenceIndex newest, OccurrenceIndex fresh) {
        this(older, newest, fresh, LaneVocabulary.of(older, newest));
        if (newest != null) {
            newest.makePostings();
        }
        for (int i = older.size() - 1; i >= 0; i--) {
            older.get(i).makePostings();
        }
    }

    /**
     * Tokens that its segments give are below this. One that is not was read from a segment that was damaged since it was checked.
     *
     * @return a vocabulary's size; the most there is where it has no segment
     */
    public int vocabularySize() {
        int size = newest == null ? Integer.MAX_VALUE : newest.vocabularySize();
        for (OccurrenceIndex segment : older) {
            size = Math.min(size, segment.vocabularySize());
        }
        return size;
    }
}
