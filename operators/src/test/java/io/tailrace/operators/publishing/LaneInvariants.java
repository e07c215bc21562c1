package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tailrace.operators.control.Tombstones;
import io.tailrace.operators.publishing.TwinStore.Doc;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What holds of a lane at every moment, whatever befell it: the books balance, nothing is there twice, nothing forbidden where a delete was
 * applied, nothing served that was deleted longer ago than the bound.
 *
 * @param where said of whatever does not hold
 */
record LaneInvariants(Lane lane, TwinStore store, String where) {
    /** @param admitted tokens, by the twin's count */
    void checkBooks(long admitted) {
        Map<String, Long> numbers = lane.numbers();
        assertThat(numbers.get("tokensAdmitted")).as(where).isEqualTo(admitted);
        assertThat(numbers.get("tokensLive")
                        + numbers.get("tokensPending")
                        + numbers.get("tokensExpired")
                        + numbers.get("tokensDeleted")
                        + numbers.get("tokensLost"))
                .as("%s: %s", where, numbers)
                .isEqualTo(admitted);
    }

    /** What a delete forbids is in no segment whose tombstones say so; nothing is twice in the layout. */
    void checkLayout() {
        List<LiveSegment> layout = new ArrayList<>(lane.layout().older());
        if (lane.layout().newest() != null) {
            layout.add(lane.layout().newest());
        }
        Set<Doc> seen = new HashSet<>();
        for (LiveSegment segment : layout) {
            for (Doc doc : store.docs(segment.stored())) {
                if (!seen.add(doc)) {
                    fail("%s: %s is there twice", where, doc);
                }
            }
            checkClean(segment);
        }
        assertThat(lane.layout().older()).as(where).hasSizeLessThanOrEqualTo(SegmentPlanner.OLDER_MAX);
    }

    private void checkClean(LiveSegment segment) {
        Tombstones applied = new Tombstones(lane.deletes().tombstones().stream()
                .filter(tombstone -> tombstone.sequence() <= segment.tombstonesApplied())
                .toList());
        for (Doc doc : store.docs(segment.stored())) {
            if (applied.test(doc.entry())) {
                fail("%s: %s is forbidden", where, doc);
            }
        }
    }

    /** Nothing that the lane has announced and can go back to holds what a delete forbids that it says is done. */
    void checkDone() {
        Tombstones done = new Tombstones(lane.deletes().tombstones().stream()
                .filter(tombstone -> tombstone.issuedAt() <= lane.deletedTo())
                .toList());
        for (RetainedVersion version : lane.versions().retained()) {
            version.segments().flatMap(stored -> store.docs(stored).stream()).forEach(doc -> {
                if (done.test(doc.entry())) {
                    fail("%s: version %d holds %s, whose delete is said to be done", where, version.version(), doc);
                }
            });
        }
    }

    /** What was announced is small, and is what the lane can go back to. */
    void checkAnnounced(SnapshotManifest manifest) {
        List<RetainedVersion> retained = lane.versions().retained();
        assertThat(manifest.getSegments()).as(where).hasSizeLessThanOrEqualTo(4);
        assertThat(retained).as(where).hasSizeLessThanOrEqualTo(6);
        assertThat(manifest.getSegments().stream().map(SegmentReference::getPath))
                .as(where)
                .containsExactlyElementsOf(segments(retained.get(retained.size() - 1)).stream()
                        .map(StoredSegment::path)
                        .toList());
    }

    /** Announced versions hold nothing that was deleted longer ago than the bound, whatever merges did meanwhile. */
    void checkBound(long now, long boundMillis) {
        Tombstones over = new Tombstones(lane.deletes().tombstones().stream()
                .filter(tombstone -> now - tombstone.heardAt() >= boundMillis)
                .toList());
        for (RetainedVersion version : lane.versions().retained()) {
            for (StoredSegment segment : segments(version)) {
                for (Doc doc : store.docs(segment)) {
                    if (over.test(doc.entry())) {
                        fail("%s: version %d still holds %s", where, version.version(), doc);
                    }
                }
            }
        }
    }

    private static List<StoredSegment> segments(RetainedVersion version) {
        List<StoredSegment> segments = new ArrayList<>();
        version.older().forEach(segment -> segments.add(segment.stored()));
        if (version.newest() != null) {
            segments.add(version.newest().stored());
        }
        return segments;
    }
}
