/**
 * From a manifest on topic snapshots to a mapped snapshot that requests draft from.
 *
 * <p>{@link io.tailrace.client.follow.internal.SnapshotFollower} reads topics snapshots and control in its own thread and tells each
 * {@link io.tailrace.client.follow.internal.ServedLane} what it saw. A lane decides which version to serve (newest, pinned, rolled
 * back to) and when to try; {@link io.tailrace.client.follow.internal.SnapshotLoader} fetches, checks and maps; the lane swaps its
 * {@link io.tailrace.client.follow.internal.LiveSnapshot} by one volatile write. Readers hold leases; the last one unmaps the old
 * segments. A load that fails changes nothing. Files of withdrawn versions leave the worker's disk ({@code WithdrawnFiles}).
 *
 * <pre>{@code
 * LoadedSnapshot snapshot = lane.live().lease();
 * try {
 *     drafter.draft(snapshot.index(), budget);
 * } finally {
 *     snapshot.release();
 * }
 * }</pre>
 *
 * <p>This package does not draft, and never writes to the store. It is for the modules that are built with this one.
 */
package io.tailrace.client.follow.internal;
