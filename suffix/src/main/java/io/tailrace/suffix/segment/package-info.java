/**
 * Segments: immutable index files over some generations of one lane. {@link io.tailrace.suffix.segment.Compaction} writes
 * them, {@link io.tailrace.suffix.segment.Segment} reads them, and beside each lies a {@link
 * io.tailrace.suffix.segment.Sidecar} that knows which generations its documents stand for.
 *
 * <pre>{@code
 * Compaction.Result flushed = Compaction.flush(generations, identity, folder);
 * try (Segment segment = Segment.openVerified(flushed.files().segment(), identity)) {
 *     segment.nearest(context, length, 16, source, found);
 *     long times = segment.count(pattern);
 * }
 * }</pre>
 *
 * <p>The format is specified in {@code docs/reference/segment-format.md}. The package neither uploads nor announces files, nor decides
 * when to merge which.
 */
package io.tailrace.suffix.segment;
