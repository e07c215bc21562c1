package io.tailrace.operators.publishing;

import io.tailrace.schemas.SnapshotManifest;
import java.util.List;

/**
 * A version to be made known.
 *
 * @param dropped versions that can no longer be gone back to
 * @param deletesDone true if with this version every known delete has been applied to all that the lane serves or retains
 */
record Announcement(SnapshotManifest manifest, List<Long> dropped, boolean deletesDone) {}
