/**
 * From the names of segment files to mapped segments: what workers and the job's replay share.
 *
 * <p>{@link io.tailrace.suffix.snapshot.SegmentFolder} fetches files from a {@link io.tailrace.suffix.snapshot.SegmentSource} and
 * checks every byte once; {@link io.tailrace.suffix.snapshot.MappedSegments} maps each segment once, however many snapshots hold
 * it, and unmaps it with the last.
 *
 * <pre>{@code
 * MappedSegments mapped = new MappedSegments(new SegmentFolder(source, folder, bytesMax, SegmentOpener.segments(), damaged));
 * OccurrenceIndex index = mapped.acquire(file, identity);
 * ...
 * mapped.release(file.sha256());
 * }</pre>
 *
 * <p>It knows no manifests and no topics.
 */
package io.tailrace.suffix.snapshot;
