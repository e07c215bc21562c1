/**
 * From the names of segment files to mapped segments: what workers and the job's replay share.
 *
 * <p>{@link io.tailrace.suffix.snapshot.SegmentFolder} fetches files from a {@link io.tailrace.suffix.snapshot.SegmentSource} and
 * checks every byte once; {@link io.tailrace.suffix.snapshot.MappedSegments} maps each segment once, however many snapshots hold
 * it, and unmaps it with the last; {@link io.tailrace.suffix.snapshot.HeldSegments} are one snapshot's.
 *
 * <pre>{@code
 * MappedSegments mapped = new MappedSegments(new SegmentFolder(source, folder, bytesMax, SegmentOpener.segments(), damaged));
 * HeldSegments held = HeldSegments.acquire(mapped, files, identity);
 * held.indexes();
 * ...
 * held.release();
 * }</pre>
 *
 * <p>It knows no manifests and no topics.
 */
package io.tailrace.suffix.snapshot;
