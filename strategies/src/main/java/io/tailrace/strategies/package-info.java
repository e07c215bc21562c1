/**
 * Drafting methods that others published, faithful to their papers: rivals to measure the product's own against, and choices for users who
 * want them. Each class cites what it follows. Nothing compiles against them but the laboratory; wherever this module is on the class path,
 * they are found by name as {@link io.tailrace.suffix.strategy.Strategy}:
 *
 * <pre>{@code
 * Drafter drafter = StrategyChoice.parse("prompt-lookup:ngram=2:tokens=5").drafter(new float[0]);
 * }</pre>
 *
 * <p>SuffixDecoding and SAM-Decoding share the search for a pattern's places and the counts of what followed them ({@code PatternPlaces},
 * {@code ContinuationTrie}). None of the methods learns, and none gives calibrated probabilities; that is what {@link
 * io.tailrace.suffix.draft.AdaptiveDrafter} is for.
 */
package io.tailrace.strategies;
