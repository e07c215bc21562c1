package io.tailrace.operators.evaluation;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RetentionChange;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.snapshot.HeldSegments;
import io.tailrace.suffix.snapshot.MappedSegments;
import io.tailrace.suffix.snapshot.SegmentFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane's trial in one task: of a policy, its weights and limits; of a retention, its segments, which a side thread fetches, checks
 * and maps as it does a version's. What is live is whatever version is mapped at the moment, so additions go on on both sides; but one with
 * another policy than the trial names, announced before it or left by a rollback, is not compared with.
 */
final class TrialFollowing {
    private static final Logger LOG = LoggerFactory.getLogger(TrialFollowing.class);
    private static final DraftPolicy DEFAULT_LIMITS = LanePolicy.defaults().limits();

    private final String lane;
    private final ModelCatalog models;
    private final MappedSegments mapped;
    private final Executor loads;
    private final EvaluationQueue evaluations;
    private LaneSignal followed;
    private long livePolicy;
    private Replica.Side candidateSide;
    /** The best policy that was shown; null: the live one. */
    private Replica.Side anchorSide;

    private HeldRetention retention;
    private long indexVersion;
    private LaneIndex candidateIndex;

    TrialFollowing(
            String lane, ModelCatalog models, MappedSegments mapped, Executor loads, EvaluationQueue evaluations) {
        this.lane = lane;
        this.models = models;
        this.mapped = mapped;
        this.loads = loads;
        this.evaluations = evaluations;
    }

    /** What the candidate is judged by beside a version; null if it cannot be, now. */
    Replica.Trial of(LaneSignal candidate, HeldSnapshot live) {
        if (candidate == null) {
            return null;
        }
        if (!isFollowed(candidate)) {
            follow(candidate);
        }
        if (livePolicy != live.policy().number()) {
            return null;
        }
        if (retention == null) {
            return candidateSide == null
                    ? null
                    : judged(candidate.number(), live.side(), candidateSide, anchorSide, null);
        }
        LaneIndex index = retained(live);
        return index == null ? null : judged(candidate.number(), live.side(), live.side(), null, index);
    }

    /** Where neither side drafts there is nothing to tell them apart by: they are compared as if both did, within the default limits. */
    private static Replica.Trial judged(
            long number, Replica.Side live, Replica.Side candidate, Replica.Side anchor, LaneIndex index) {
        return live.limits().drafts() || candidate.limits().drafts()
                ? new Replica.Trial(number, live, candidate, anchor, index)
                : new Replica.Trial(number, drafting(live), drafting(candidate), drafting(anchor), index);
    }

    private static Replica.Side drafting(Replica.Side side) {
        return side == null ? null : new Replica.Side(side.weights(), DEFAULT_LIMITS);
    }

    /** One that was told again counts as another: it may be there now. */
    private boolean isFollowed(LaneSignal candidate) {
        return followed != null && followed.number() == candidate.number() && followed.at() == candidate.at();
    }

    /** Whoever may write to topic events may propose nonsense: it is not judged, and the next is. */
    private void follow(LaneSignal candidate) {
        close();
        followed = candidate;
        try {
            take(RecordCodec.EVENT.decode(candidate.record()));
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            LOG.warn("lane {}: candidate {} is not judged: {}", lane, candidate.number(), e.getMessage());
        }
    }

    private void take(Event event) {
        livePolicy = event.getNumbers().getOrDefault(LaneLearning.LIVE_POLICY, 0L);
        RetentionChange change = event.getRetention();
        if (change == null && event.getPolicy() == null) {
            throw new IllegalArgumentException("a candidate is a policy or a change of retention, this event has none");
        }
        if (change == null) {
            Replica.Side anchor = event.getAnchor() == null ? null : side(event.getAnchor());
            candidateSide = side(event.getPolicy());
            anchorSide = anchor;
        } else {
            HeldRetention loading = new HeldRetention(change, mapped);
            retention = loading;
            loads.execute(() -> loading.load(lane, models));
        }
    }

    private static Replica.Side side(Policy policy) {
        LanePolicy given = LanePolicy.given(policy, policy.getNumber(), 0);
        return new Replica.Side(given.effectiveWeights(), given.limits());
    }

    private LaneIndex retained(HeldSnapshot live) {
        if (candidateIndex == null || indexVersion != live.version()) {
            candidateIndex = retention.of(live);
            indexVersion = live.version();
        }
        return candidateIndex;
    }

    /** SHA-256 of what is mapped for it beside a version. */
    List<String> files() {
        return retention == null ? List.of() : retention.files();
    }

    /** Lets go of everything; a load that still runs lets go by itself. */
    void close() {
        if (retention != null) {
            evaluations.after(retention::close);
        }
        retention = null;
        candidateIndex = null;
        candidateSide = null;
        anchorSide = null;
        followed = null;
    }

    /**
     * What a change of retention would leave of a lane's older segments, mapped. One thread loads it, another uses and closes it: whichever is
     * last lets go.
     */
    static final class HeldRetention {
        private final RetentionChange change;
        private final MappedSegments mapped;
        private HeldSegments loaded;
        private boolean closed;

        HeldRetention(RetentionChange change, MappedSegments mapped) {
            if (change.getReplaced().isEmpty()) {
                throw new IllegalArgumentException("a change of retention names what it replaces, this one nothing");
            }
            this.change = change;
            this.mapped = mapped;
        }

        /** Fetches, checks and maps; may take long, and leaves nothing mapped if it fails. */
        void load(String lane, ModelCatalog models) {
            List<SegmentFile> files = change.getSegments().stream()
                    .map(segment -> new SegmentFile(segment.getPath(), segment.getSha256(), segment.getSizeBytes()))
                    .toList();
            try {
                HeldSegments segments = HeldSegments.acquire(mapped, files, models.identity(lane));
                if (!offer(segments)) {
                    segments.release();
                }
            } catch (IOException | RuntimeException e) {
                LOG.warn("lane {}: a change of retention is not judged here: {}", lane, e.toString());
            }
        }

        List<String> files() {
            return change.getSegments().stream()
                    .map(SegmentReference::getSha256)
                    .toList();
        }

        private synchronized boolean offer(HeldSegments segments) {
            if (!closed) {
                loaded = segments;
            }
            return !closed;
        }

        /** A version as it would be; null if this is not mapped, or the version no longer holds what would be replaced. */
        synchronized LaneIndex of(HeldSnapshot live) {
            return loaded == null ? null : live.replaced(change.getReplaced().get(0), loaded.indexes());
        }

        synchronized void close() {
            if (loaded != null) {
                loaded.release();
            }
            loaded = null;
            closed = true;
        }
    }
}
