/**
 * Indexes of many generations of one lane. {@link io.tailrace.suffix.segment.FreshIndex} is in memory and takes one in at once. A segment is
 * an immutable file: {@link io.tailrace.suffix.segment.Compaction} writes and merges them, {@link io.tailrace.suffix.segment.Segment} reads
 * them, and beside each lies a {@link io.tailrace.suffix.segment.Sidecar} that knows which generations its documents stand for.
 *
 * <p>From the example {@code SegmentFilesOfALane}, compiled and run as a test:
 *
 * <pre>{@code
 * Compaction.Files one = write(folder, 1, oneAnswer);
 * Compaction.Files two = write(folder, 2, another);
 * Compaction.Result merged = Compaction.merge(List.of(one, two), Retention.everything(), LANE, folder);
 * try (Segment segment = Segment.openVerified(merged.files().segment(), LANE)) {
 *     return segment.count(pattern);
 * }
 * }</pre>
 *
 * <p>The package neither uploads nor announces files, nor decides when to merge which.
 */
package io.tailrace.suffix.segment;
