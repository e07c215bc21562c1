/**
 * What all indexes have in common: a {@link io.tailrace.suffix.TokenText} that occurrences point into, an {@link
 * io.tailrace.suffix.OccurrenceIndex} that finds them, and {@link io.tailrace.suffix.Occurrences}, the reusable arrays they
 * are put into.
 *
 * <pre>{@code
 * Occurrences found = new Occurrences();
 * index.nearest(context, length, 16, SourceKind.NEWEST.ordinal(), found);
 * for (int i = 0; i < found.size(); i++) {
 *     int next = found.text(i).token(found.position(i) + 1);
 * }
 * }</pre>
 *
 * <p>The module needs the JDK only and never logs.
 */
package io.tailrace.suffix;
