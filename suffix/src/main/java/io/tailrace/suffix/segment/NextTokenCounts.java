package io.tailrace.suffix.segment;

/**
 * What follows a pattern, and how often; each document counted with its multiplicity.
 *
 * @param tokens distinct next tokens, ascending
 * @param counts how often each follows
 * @param ends how often a document ends after the pattern
 */
public record NextTokenCounts(int[] tokens, long[] counts, long ends) {}
