package io.tailrace.operators.signals;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.RecordDecoding;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.schemas.signing.TrustedKeys;
import org.apache.flink.util.Collector;

/** Topics snapshots and events to signals. */
public final class SignalDecoding extends RecordDecoding<LaneSignal> {
    private static final long serialVersionUID = 1L;

    private final boolean snapshots;

    private SignalDecoding(boolean snapshots, TrustedKeys trusted) {
        super(trusted);
        this.snapshots = snapshots;
    }

    /** Of what the trusted have announced. */
    public static SignalDecoding ofSnapshots(TrustedKeys trusted) {
        return new SignalDecoding(true, trusted);
    }

    /** Of what the trusted have told. */
    public static SignalDecoding ofEvents(TrustedKeys trusted) {
        return new SignalDecoding(false, trusted);
    }

    @Override
    protected void decode(RawRecord raw, Collector<LaneSignal> out) throws UndecodableRecordException {
        if (!snapshots) {
            event(raw, out);
        } else if (raw.value() != null) {
            snapshot(raw, out);
        }
    }

    private static void snapshot(RawRecord raw, Collector<LaneSignal> out) throws UndecodableRecordException {
        SnapshotManifest manifest = RecordCodec.SNAPSHOT_MANIFEST.decode(raw.value());
        SnapshotKey.of(manifest).require(raw.key());
        VersionNumbers.check(manifest.getVersion(), Math.max(System.currentTimeMillis(), raw.timestampMillis()));
        Epochs.check(manifest.getEpoch());
        out.collect(new LaneSignal(
                LaneSignal.Kind.SNAPSHOT,
                LaneId.of(manifest.getLane()).toString(),
                manifest.getVersion(),
                raw.timestampMillis(),
                manifest.getEpoch(),
                raw.value()));
    }

    /** Without keys anybody may say when: an alarm is no younger than its record, or it would never be over. 0 would say that it is. */
    private static long at(Event event, RawRecord raw) {
        return Math.max(1, Math.min(event.getAt().toEpochMilli(), raw.timestampMillis()));
    }

    private static void event(RawRecord raw, Collector<LaneSignal> out) throws UndecodableRecordException {
        Event event = RecordCodec.EVENT.decode(raw.value());
        if (event.getLane() == null) {
            return;
        }
        Epochs.check(event.getEpoch());
        String lane = LaneId.of(event.getLane()).toString();
        long epoch = event.getEpoch();
        long at = at(event, raw);
        long trial = event.getNumbers().getOrDefault("trial", 0L);
        switch (event.getKind()) {
            case DRIFT -> out.collect(new LaneSignal(LaneSignal.Kind.ALARM, lane, 0, at, epoch, null));
            case DRIFT_ENDED -> out.collect(new LaneSignal(LaneSignal.Kind.ALARM, lane, 0, 0, epoch, null));
            case POLICY_PROPOSED, RETENTION_PROPOSED ->
                out.collect(new LaneSignal(LaneSignal.Kind.CANDIDATE, lane, trial, at, epoch, raw.value()));
            case POLICY_ADOPTED, POLICY_REFUSED, RETENTION_ADOPTED, RETENTION_REFUSED, RETENTION_WITHDRAWN ->
                out.collect(new LaneSignal(LaneSignal.Kind.CANDIDATE, lane, trial, 0, epoch, null));
            default -> {}
        }
    }
}
