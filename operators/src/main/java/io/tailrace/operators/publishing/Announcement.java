package io.tailrace.operators.publishing;

import io.tailrace.schemas.SnapshotManifest;
import java.util.List;

/**
 * A version to be made known.
 *
 * @param dropped versions that can no longer be gone back to
 * @param deletesDone true if with this version deletes are done, in all that the lane serves or retains, that were not in the one before
 */
record Announcement(SnapshotManifest manifest, List<Long> dropped, boolean deletesDone) {}
