package io.tailrace.operators.publishing;

import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningOptions;
import io.tailrace.operators.outcomes.StepCost;
import io.tailrace.schemas.CostPoint;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.SourceOffset;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Writes a lane's state down as the manifest of a version. */
final class ManifestContent {
    /** Completion times above this many are thinned evenly. */
    static final int COMPLETIONS_MAX = 4096;

    private ManifestContent() {}

    static SnapshotManifest of(
            LaneState state, RetainedVersion announced, long parent, long nowMillis, SegmentIdentity identity) {
        Lane lane = LaneId.parse(state.lane).toLane();
        return new SnapshotManifest(
                lane,
                announced.version(),
                parent,
                Instant.ofEpochMilli(nowMillis),
                state.due,
                identity.vocabularySize(),
                identity.tokenizerFingerprint(),
                references(announced),
                state.policy().toRecord(costCurve(state)),
                state.outcomes.toStatistics(),
                thinned(state.completionsFolded),
                sourceOffsets(state),
                new LaneLearning(state.learning(), LearningOptions.defaults()).statistics(),
                state.learning().drift == null ? null : state.learning().drift.toRecord(),
                state.rolledBackBy);
    }

    private static List<SegmentReference> references(RetainedVersion announced) {
        List<SegmentReference> references = new ArrayList<>();
        announced.older().forEach(segment -> references.add(segment.stored().reference(SegmentRole.OLDER)));
        if (announced.newest() != null) {
            references.add(announced.newest().stored().reference(SegmentRole.NEWEST));
        }
        return references;
    }

    private static List<CostPoint> costCurve(LaneState state) {
        List<CostPoint> points = new ArrayList<>();
        for (StepCost cost : state.costs == null ? List.<StepCost>of() : state.costs) {
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

    private static List<SourceOffset> sourceOffsets(LaneState state) {
        List<SourceOffset> offsets = new ArrayList<>();
        new TreeMap<>(state.offsets).forEach((partition, offset) -> offsets.add(new SourceOffset(partition, offset)));
        return offsets;
    }
}
