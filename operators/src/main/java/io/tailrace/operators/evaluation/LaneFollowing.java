package io.tailrace.operators.evaluation;

import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.suffix.snapshot.MappedSegments;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one lane's last announced snapshot mapped in one task. Loads run on a side thread, one a lane at a time and the newest
 * wanted only; the task's thread takes the result over when it asks, and the one before is let go of behind the evaluations that read it.
 */
final class LaneFollowing {
    private static final Logger LOG = LoggerFactory.getLogger(LaneFollowing.class);

    private final String lane;
    private final ModelCatalog models;
    private final MappedSegments mapped;
    private final Executor loads;
    private final EvaluationQueue evaluations;
    private final AtomicReference<LaneSignal> wanted = new AtomicReference<>();
    private final AtomicReference<HeldSnapshot> loaded = new AtomicReference<>();
    private long wantedVersion;
    private long wantedEpoch;
    private HeldSnapshot current;
    private volatile boolean closed;

    LaneFollowing(
            String lane, ModelCatalog models, MappedSegments mapped, Executor loads, EvaluationQueue evaluations) {
        this.lane = lane;
        this.models = models;
        this.mapped = mapped;
        this.loads = loads;
        this.evaluations = evaluations;
    }

    /** A version was announced; it is wanted unless a newer one is, of a number that the clock has reached, or one of a later epoch. */
    void want(LaneSignal snapshot) {
        boolean counts = VersionNumbers.isPlausible(wantedVersion, System.currentTimeMillis());
        boolean takenOver = snapshot.epoch() > wantedEpoch;
        if (snapshot.epoch() >= wantedEpoch && (!counts || takenOver || snapshot.number() > wantedVersion)) {
            wantedVersion = snapshot.number();
            wantedEpoch = snapshot.epoch();
            if (wanted.getAndSet(snapshot) == null) {
                loads.execute(this::load);
            }
        }
    }

    /** The newest snapshot that is mapped; null: none yet. */
    HeldSnapshot current() {
        HeldSnapshot next = loaded.getAndSet(null);
        if (next != null) {
            if (current != null) {
                evaluations.after(current::release);
            }
            current = next;
        }
        return current;
    }

    private void load() {
        LaneSignal next = wanted.getAndSet(null);
        if (next == null || closed) {
            return;
        }
        try {
            SnapshotManifest manifest = RecordCodec.SNAPSHOT_MANIFEST.decode(next.record());
            HeldSnapshot snapshot = HeldSnapshot.load(manifest, models.identity(lane), mapped);
            HeldSnapshot skipped = loaded.getAndSet(snapshot);
            if (skipped != null) {
                skipped.release();
            }
            if (closed) {
                releaseLoaded();
            }
        } catch (IOException | UndecodableRecordException | RuntimeException e) {
            LOG.warn("lane {}: version {} is not evaluated against: {}", lane, next.number(), e.toString());
        }
    }

    /** Lets go of everything; a load that still runs lets go by itself. */
    void close() {
        closed = true;
        releaseLoaded();
        if (current != null) {
            evaluations.after(current::release);
            current = null;
        }
    }

    private void releaseLoaded() {
        HeldSnapshot left = loaded.getAndSet(null);
        if (left != null) {
            left.release();
        }
    }
}
