package io.tailrace.cli.snapshots;

import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record of topic snapshots: a version of a lane is announced or withdrawn.
 *
 * @param manifest null: it is withdrawn
 */
public record SnapshotRecord(LaneId lane, long version, SnapshotManifest manifest) {
    /**
     * Reads a record. A version may be ahead of this clock as far as readers allow, or of the brokers' when they took it: a clock here that is behind hides
     * none.
     *
     * @throws IllegalArgumentException if its key names no version of a lane, or another than the manifest, or no job can have announced that
     */
    public static SnapshotRecord of(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        String key = LoopTopics.key(record);
        LaneId lane = LaneId.parse(key.substring(0, LoopTopics.hash(key)));
        long version = Long.parseLong(key.substring(LoopTopics.hash(key) + 1));
        if (record.value() == null) {
            return new SnapshotRecord(lane, version, null);
        }
        SnapshotManifest manifest = RecordCodec.SNAPSHOT_MANIFEST.decode(record.value());
        VersionNumbers.check(manifest.getVersion(), Math.max(System.currentTimeMillis(), record.timestamp()));
        Epochs.check(manifest.getEpoch());
        if (!LaneId.of(manifest.getLane()).equals(lane) || manifest.getVersion() != version) {
            throw new IllegalArgumentException("its key names another version than the manifest");
        }
        return new SnapshotRecord(lane, version, manifest);
    }
}
