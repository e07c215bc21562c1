/**
 * What all indexes have in common: a {@link io.tailrace.suffix.TokenText} that occurrences point into, an {@link
 * io.tailrace.suffix.OccurrenceIndex} that finds them, and {@link io.tailrace.suffix.Occurrences}, the reusable arrays they
 * are put into. {@link io.tailrace.suffix.ContextAutomaton} indexes one sequence that grows token by token; a {@link
 * io.tailrace.suffix.LaneIndex} names the indexes that requests share.
 *
 * <p>What followed earlier (from the example {@code WhatFollows}, compiled and run as a test):
 *
 * <pre>{@code
 * FreshIndex index = new FreshIndex(1_000_000);
 * for (int[] answer : answers) {
 *     index.add(answer, System.currentTimeMillis());
 * }
 * Occurrences found = new Occurrences();
 * index.nearest(context, context.length, 16, SourceKind.FRESH.index(), found);
 * int[] next = new int[found.size()];
 * for (int i = 0; i < next.length; i++) {
 *     next[i] = found.text(i).token(found.position(i) + 1);
 * }
 * }</pre>
 *
 * <p>Nothing here drafts. Whoever swaps a lane's indexes also closes the segments that nobody reads any more; this package does not.
 */
package io.tailrace.suffix;
