package io.tailrace.suffix;

/**
 * What knows every occurrence of a pattern, and so its exact COUNT: where documents go on after it, and how often one ends
 * with it. A pattern is the end of a context. Safe for any number of threads; keeps nothing between calls.
 */
public interface PatternIndex extends OccurrenceIndex {
    /**
     * Adds every occurrence of the last token of {@code context[0..length)}, each with how far it matches; only those whose
     * document goes on. Unlike {@link #nearest} in no particular order.
     *
     * @param context the tokens so far
     * @param length how many of them there are
     * @param countMax most occurrences of each sorted part of this index; where there are more, those that match longest
     * @param source what they are noted as: {@link io.tailrace.suffix.draft.SourceKind#index()}
     * @param into where they are added
     */
    void occurrences(int[] context, int length, int countMax, int source, Occurrences into);

    /**
     * How many documents end with the last {@code patternLength} tokens of {@code context[0..length)}; equal ones count each.
     *
     * @param context the tokens so far
     * @param length how many of them there are
     * @param patternLength how many of the last tokens are the pattern
     * @return how many
     */
    long endings(int[] context, int length, int patternLength);
}
