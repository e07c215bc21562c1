package io.tailrace.operators.publishing;

import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes down as a manifest what a lane announces. */
final class ManifestContent {
    /** Completion times above this many are thinned evenly. */
    static final int COMPLETIONS_MAX = 4096;

    private ManifestContent() {}

    static SnapshotManifest of(
            Lane lane, RetainedVersion version, AnnouncementCadence.Announced announced, SegmentIdentity identity) {
        return new SnapshotManifest(
                LaneId.parse(lane.name()).toLane(),
                version.version(),
                lane.versions().last(),
                Instant.ofEpochMilli(announced.atMillis()),
                announced.cause(),
                identity.vocabularySize(),
                identity.tokenizerFingerprint(),
                references(version),
                lane.versions().policy().toRecord(costCurve(lane.costs())),
                lane.outcomes().toStatistics(),
                thinned(lane.layout().completionsFolded()),
                sourceOffsets(lane.layout().offsets()),
                lane.learning().statistics(),
                lane.learning().drift() == null ? null : lane.learning().drift().toRecord(),
                lane.commands().rolledBackBy(),
                version.epoch());
    }

    private static List<SegmentReference> references(RetainedVersion announced) {
        List<SegmentReference> references = new ArrayList<>();
        announced.older().forEach(segment -> references.add(segment.stored().reference(SegmentRole.OLDER)));
        if (announced.newest() != null) {
            references.add(announced.newest().stored().reference(SegmentRole.NEWEST));
        }
        return references;
    }

    private static List<CostPoint> costCurve(List<LaneOutcome.StepCost> costs) {
        List<CostPoint> points = new ArrayList<>();
        for (LaneOutcome.StepCost cost : costs) {
            points.add(new CostPoint(cost.workerClass(), cost.batch(), cost.verifiedTokens(), (float) cost.micros()));
        }
        return points;
    }

    static List<Instant> thinned(List<Long> times) {
        int kept = Math.min(times.size(), COMPLETIONS_MAX);
        List<Instant> thinned = new ArrayList<>(kept);
        for (int i = 0; i < kept; i++) {
            thinned.add(Instant.ofEpochMilli(times.get((int) ((long) i * times.size() / kept))));
        }
        return thinned;
    }

    private static List<SourceOffset> sourceOffsets(Map<Integer, Long> folded) {
        List<SourceOffset> offsets = new ArrayList<>();
        new TreeMap<>(folded).forEach((partition, offset) -> offsets.add(new SourceOffset(partition, offset)));
        return offsets;
    }
}
