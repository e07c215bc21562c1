package io.tailrace.cli.audit;

import io.tailrace.cli.snapshots.LoopTopics;
import io.tailrace.cli.snapshots.SnapshotRecord;
import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What topic snapshots holds by now. An audit has read it before the store, and a version may have been withdrawn since and its files swept. */
final class VersionsNow implements AutoCloseable {
    private final Supplier<LoopTopics> opened;
    private final Map<String, AnnouncedVersions> lanes = new HashMap<>();
    private LoopTopics topics;

    /** @param opened opens the topics, when something is asked for the first time */
    VersionsNow(Supplier<LoopTopics> opened) {
        this.opened = opened;
    }

    /** Paths of all files that a lane's versions name now. */
    Set<String> paths(String lane) {
        if (topics == null) {
            topics = opened.get();
            topics.begin(Map.of(Topic.SNAPSHOTS, 0L));
        }
        topics.readToEnds(this::take, Long.MAX_VALUE);
        return lanes.getOrDefault(lane, new AnnouncedVersions()).counting().values().stream()
                .flatMap(manifest -> manifest.getSegments().stream())
                .map(SegmentReference::getPath)
                .collect(Collectors.toSet());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        SnapshotRecord snapshot = SnapshotRecord.of(record);
        AnnouncedVersions versions = lanes.computeIfAbsent(snapshot.lane().toString(), name -> new AnnouncedVersions());
        if (snapshot.manifest() == null) {
            versions.withdraw(snapshot.version());
        } else {
            snapshot.manifest().setCompletionTimesAdded(List.of());
            versions.announce(snapshot.manifest());
        }
    }

    @Override
    public void close() {
        if (topics != null) {
            topics.close();
        }
    }
}
