package io.tailrace.operators.replay;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.policy.LanePolicy;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.lane.LaneIndex;
import io.tailrace.suffix.snapshot.MappedSegments;
import java.util.concurrent.Executor;

/**
 * One lane's trial in one task: of a policy, its weights; of a retention, its segments, which a side thread fetches, checks and maps
 * as it does a version's. What is live is whatever version is mapped at the moment, so additions go on on both sides.
 */
final class TrialFollowing {
    private final String lane;
    private final ModelCatalog models;
    private final MappedSegments mapped;
    private final Executor loads;
    private LaneSignal followed;
    private float[] liveWeights;
    private float[] candidateWeights;
    private HeldRetention retention;
    private long indexVersion;
    private LaneIndex candidateIndex;

    TrialFollowing(String lane, ModelCatalog models, MappedSegments mapped, Executor loads) {
        this.lane = lane;
        this.models = models;
        this.mapped = mapped;
        this.loads = loads;
    }

    /** What the candidate is judged by beside a version; null if it cannot be, now. */
    Replica.Trial of(LaneSignal candidate, HeldSnapshot live) throws UndecodableRecordException {
        if (candidate == null) {
            return null;
        }
        if (!isFollowed(candidate)) {
            follow(candidate, live);
        }
        if (retention == null) {
            return new Replica.Trial(candidate.number(), liveWeights, candidateWeights, null);
        }
        LaneIndex index = retained(live);
        return index == null ? null : new Replica.Trial(candidate.number(), liveWeights, candidateWeights, index);
    }

    /** One that was told again counts as another: it may be there now. */
    private boolean isFollowed(LaneSignal candidate) {
        return followed != null && followed.number() == candidate.number() && followed.at() == candidate.at();
    }

    private void follow(LaneSignal candidate, HeldSnapshot live) throws UndecodableRecordException {
        close();
        Event event = RecordCodec.EVENT.decode(candidate.record());
        liveWeights = live.policy().effectiveWeights();
        RetentionChange change = event.getRetention();
        if (change == null) {
            candidateWeights =
                    LanePolicy.given(event.getPolicy(), candidate.number(), 0).effectiveWeights();
        } else {
            candidateWeights = liveWeights;
            retention = new HeldRetention(change, mapped);
            HeldRetention loading = retention;
            loads.execute(() -> loading.load(lane, models));
        }
        followed = candidate;
    }

    private LaneIndex retained(HeldSnapshot live) {
        if (candidateIndex == null || indexVersion != live.version()) {
            candidateIndex = retention.of(live);
            indexVersion = live.version();
        }
        return candidateIndex;
    }

    /** Lets go of everything; a load that still runs lets go by itself. */
    void close() {
        if (retention != null) {
            retention.close();
        }
        retention = null;
        candidateIndex = null;
        followed = null;
    }
}
