package io.tailrace.cli.snapshots;

import io.tailrace.schemas.AnnouncedVersions;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.WorkerPresence;
import io.tailrace.schemas.WorkerStatus;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.BrokerOptions;
import io.tailrace.terminal.KeyOptions;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What Kafka says of one lane: its versions, who serves what; and the way to give commands. */
final class LaneTopics implements AutoCloseable {
    private final LoopTopics topics;
    private final LaneId lane;
    private final AnnouncedVersions versions = new AnnouncedVersions();
    private final TreeMap<String, Reported> workers = new TreeMap<>();

    /** A worker's last status, and when the brokers took it, by their clock. */
    private record Reported(WorkerStatus status, long takenMillis) {}

    LaneTopics(LoopTopics topics, LaneId lane) {
        this.topics = topics;
        this.lane = lane;
    }

    LaneId lane() {
        return lane;
    }

    /** Reads topics snapshots and workers to their ends. */
    void read() {
        topics.read(this::take, Topic.SNAPSHOTS, Topic.WORKERS);
    }

    /** Reads what is new. */
    void follow(Duration max) {
        topics.follow(max, this::take);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException {
        String key = LoopTopics.key(record);
        if (topics.isOf(record, Topic.SNAPSHOTS) && key.startsWith(lane + "#")) {
            snapshot(SnapshotRecord.of(record));
        } else if (topics.isOf(record, Topic.WORKERS) && key.endsWith("#" + lane) && record.value() != null) {
            WorkerStatus status = RecordCodec.WORKER_STATUS.decode(record.value());
            workers.put(status.getWorker(), new Reported(status, record.timestamp()));
        }
    }

    private void snapshot(SnapshotRecord snapshot) {
        if (snapshot.manifest() == null) {
            versions.withdraw(snapshot.version());
        } else {
            versions.announce(snapshot.manifest());
        }
    }

    /** Announced and not withdrawn, oldest first. */
    NavigableMap<Long, SnapshotManifest> versions() {
        return versions.counting();
    }

    /** The announced version, or a message that lists those there are. */
    SnapshotManifest version(VersionName name) {
        NavigableMap<Long, SnapshotManifest> there = versions();
        if (there.isEmpty()) {
            throw new BadInputException(
                    "lane %s has no announced version; 'tailrace lanes' lists those that have".formatted(lane));
        }
        long version = name.in(there, System.currentTimeMillis());
        SnapshotManifest manifest = there.get(version);
        if (manifest == null) {
            throw new BadInputException("lane %s has no version %d; %d are there, from %d to %d"
                    .formatted(lane, version, there.size(), there.firstKey(), there.lastKey()));
        }
        return manifest;
    }

    /** Workers whose last status the brokers took lately, whatever the workers' clocks say. */
    List<WorkerStatus> liveWorkers(long nowMillis) {
        return workers.values().stream()
                .filter(reported -> WorkerPresence.isLive(reported.takenMillis(), nowMillis))
                .map(Reported::status)
                .toList();
    }

    /** Whether a worker's last status is later than that; both by the brokers' clock. */
    boolean hasReportedSince(String worker, long takenMillis) {
        return workers.containsKey(worker) && workers.get(worker).takenMillis() > takenMillis;
    }

    /** Writes a command, signed where there is a signer; when this returns, the brokers have it. Returns when they took it, by their clock. */
    long send(Control command, Optional<RecordSigner> signer) {
        return topics.send(command, signer);
    }

    @Override
    public void close() {
        topics.close();
    }

    /** Which lane, and where. */
    static final class Options {
        @Mixin
        private BrokerOptions kafka = new BrokerOptions();

        @Mixin
        private KeyOptions.Trusted trusted = new KeyOptions.Trusted();

        @Option(
                names = "--lane",
                required = true,
                paramLabel = "MODEL@REVISION/SCOPE",
                description = "The lane, as 'tailrace lanes' writes it.")
        private String lane;

        LaneId lane() {
            try {
                return LaneId.parse(lane);
            } catch (IllegalArgumentException e) {
                throw new BadInputException("--lane: " + e.getMessage(), e);
            }
        }

        KeyOptions.Trusted trusted() {
            return trusted;
        }

        Supplier<LoopTopics> topics() {
            return () -> new LoopTopics(kafka, GivenKeys.trusted(trusted));
        }

        LaneTopics open() {
            return new LaneTopics(topics().get(), lane());
        }
    }
}
