package io.tailrace.suffix;

/** What finds the occurrences nearest to a context's end. Safe for any number of threads; keeps nothing between calls. */
public interface OccurrenceIndex {
    /** Matches longer than this count as this long: the search compares no further back. */
    int MATCH_LENGTH_MAX = 64;

    /**
     * Adds up to {@code countMax} occurrences of the end of {@code context[0..length)}, longest match first, matches of at
     * least one token, never across a document's start; only occurrences whose document goes on after them.
     *
     * @return how many were added
     */
    int nearest(int[] context, int length, int countMax, int source, Occurrences into);
}
