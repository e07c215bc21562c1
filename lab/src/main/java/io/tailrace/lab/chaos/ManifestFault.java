package io.tailrace.lab.chaos;

import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Somebody announces a version whose files are named by the way to one that is none of a worker's. The installation has to deal with it. */
final class ManifestFault implements Fault {
    private static final int MILLIS_MAX = 10_000;

    private final Installation installation;
    private final VersionWatch versions;
    private final PlannedFault planned;

    ManifestFault(Installation installation, VersionWatch versions, PlannedFault planned) {
        this.installation = installation;
        this.versions = versions;
        this.planned = planned;
    }

    @Override
    public String target() {
        return "topic snapshots";
    }

    /** Everybody reads it. */
    @Override
    public Struck struck() {
        return Struck.EVERYBODY;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        List<SnapshotManifest> newest = versions.newestManifests();
        SnapshotManifest hostile = hostile(
                newest.get(planned.choice(newest.size())),
                Bystanders.WAYS.get(planned.draw() / 2 % Bystanders.WAYS.size()));
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                installation.bootstrap(),
                "acks",
                "all",
                "linger.ms",
                0,
                "max.block.ms",
                MILLIS_MAX,
                "request.timeout.ms",
                MILLIS_MAX,
                "delivery.timeout.ms",
                MILLIS_MAX);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(record(hostile)).get();
        } catch (ExecutionException e) {
            throw new IOException("nobody could write to topic snapshots: " + e.getCause(), e);
        }
    }

    /** The next version of the lane, with files of another name. */
    static SnapshotManifest hostile(SnapshotManifest of, String way) {
        return SnapshotManifest.newBuilder(of)
                .setVersion(of.getVersion() + 1)
                .setSegments(of.getSegments().stream()
                        .map(file ->
                                SegmentReference.newBuilder(file).setSha256(way).build())
                        .toList())
                .build();
    }

    private static ProducerRecord<byte[], byte[]> record(SnapshotManifest manifest) {
        String key = LaneId.of(manifest.getLane()) + "#" + manifest.getVersion();
        return new ProducerRecord<>(
                Topic.SNAPSHOTS.name(""),
                key.getBytes(StandardCharsets.UTF_8),
                RecordCodec.SNAPSHOT_MANIFEST.encode(manifest));
    }

    @Override
    public void heal() {
        // Nobody takes it back.
    }
}
