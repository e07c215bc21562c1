package io.tailrace.client.follow.internal;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.FreshFrom;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.ControlRecords;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SkippedRecords;
import io.tailrace.schemas.SnapshotKey;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics snapshots and control from their beginning and keeps every lane at the version it should serve, and hears on topic admitted
 * what no version holds yet ({@link AdmittedTail}). One thread calls {@link #poll} again and again; loads run on an executor, so that a
 * slow download delays neither other lanes nor an operator's command. Nothing is loaded before both topics were read to where they ended at
 * the start, commands first: a version that a pin holds is not forgotten among the many that came after it. Topic snapshots is read again now and
 * then ({@link SnapshotsReread}).
 */
final class SnapshotFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFollower.class);
    private static final long POLL_MILLIS_MAX = 50;
    /** No longer, so that brokers that do not answer are soon said to be away. */
    private static final Duration FIRST_ANSWER_MAX = Duration.ofSeconds(3);

    /** More commands than these are not remembered; the oldest go first. */
    private static final int COMMANDS_TAKEN_MAX = 1 << 16;

    /** A fleet that fetches as one asks a store for this much in a millisecond and worker at most. */
    private static final long JITTER_BYTES_A_MILLI = 16 << 10;

    private final Supplier<Consumer<byte[], byte[]>> brokers;
    private final String topicPrefix;
    private final String snapshotsTopic;
    private final String controlTopic;
    private final ServedLanes lanes;
    private final SnapshotLoader loader;
    private final FollowOptions options;
    private final Executor loads;
    private final LongSupplier clockMillis;
    private final TrustedKeys trusted;
    /** Ids of the signed commands that were read: one that comes again was brought back by somebody else. */
    private final Set<String> commandsTaken = new LinkedHashSet<>();

    private final WithdrawnFiles withdrawn;
    /** It and who reads by it: null before the brokers' names have resolved. */
    private volatile Consumer<byte[], byte[]> consumer;

    private AdmittedTail tail;
    private SnapshotsReread reread;
    private Map<TopicPartition, Long> endAtStart;
    private boolean commandsRead;
    private volatile boolean caughtUp;
    private final SkippedRecords skipped = new SkippedRecords();

    /** What is done with a record of a topic. */
    @FunctionalInterface
    private interface Taking {
        void take(ConsumerRecord<byte[], byte[]> message) throws UndecodableRecordException;
    }

    /** @param brokers makes the consumer, in {@link #poll}; asked again by the next one while it throws */
    public SnapshotFollower(
            Supplier<Consumer<byte[], byte[]>> brokers,
            String topicPrefix,
            ServedLanes lanes,
            SnapshotLoader loader,
            FollowOptions options,
            Executor loads,
            LongSupplier clockMillis) {
        this.brokers = brokers;
        this.topicPrefix = topicPrefix;
        this.snapshotsTopic = Topic.SNAPSHOTS.name(topicPrefix);
        this.controlTopic = Topic.CONTROL.name(topicPrefix);
        this.lanes = lanes;
        this.loader = loader;
        this.options = options;
        this.loads = loads;
        this.clockMillis = clockMillis;
        this.trusted = options.trustedKeys();
        this.withdrawn = new WithdrawnFiles(lanes, loader, loads);
    }

    private void connect() {
        Consumer<byte[], byte[]> made = brokers.get();
        reread = new SnapshotsReread(made, lanes);
        boolean hears = options.freshFrom() == FreshFrom.FLEET && options.freshTokensMax() > 0;
        tail = hears ? new AdmittedTail(made, topicPrefix, lanes, clockMillis) : null;
        consumer = made;
    }

    /** True once everything that was announced before the start is known. */
    public boolean caughtUp() {
        return caughtUp;
    }

    /** Records that could not be read. */
    public long skippedRecords() {
        return skipped.total();
    }

    /** Reads what has come and starts the loads that are due. */
    public void poll() {
        lookAtClock();
        if (consumer == null) {
            connect();
        }
        if (endAtStart == null) {
            assign();
        }
        if (tail != null) {
            tail.join();
        }
        ConsumerRecords<byte[], byte[]> records = records();
        take(records.records(controlTopic), this::control);
        take(records.records(snapshotsTopic), this::snapshot);
        if (tail != null) {
            take(records.records(tail.topic()), tail::take);
        }
        if (!commandsRead && hasReadToTheStart(controlTopic)) {
            commandsRead = true;
            consumer.resume(snapshotsOf(consumer.paused()));
        }
        if (!caughtUp && commandsRead && hasReadToTheStart(snapshotsTopic)) {
            caughtUp = true;
            reread.done(clockMillis.getAsLong());
            LOG.info(
                    "topics {} and {} are read, {} lanes",
                    snapshotsTopic,
                    controlTopic,
                    lanes.all().size());
        }
        if (caughtUp) {
            withdrawMissing();
            startDueLoads();
            withdrawn.tidy(clockMillis.getAsLong());
        }
    }

    private void lookAtClock() {
        long now = clockMillis.getAsLong();
        lanes.all().forEach(lane -> lane.lookAtClock(now));
    }

    private ConsumerRecords<byte[], byte[]> records() {
        try {
            return consumer.poll(Duration.ofMillis(pollMillis()));
        } catch (TopicAuthorizationException e) {
            if (tail == null || !tail.leave(e.unauthorizedTopics())) {
                throw e;
            }
            return ConsumerRecords.empty();
        }
    }

    /** No longer than until the next load is due. */
    private long pollMillis() {
        long now = clockMillis.getAsLong();
        long millis = POLL_MILLIS_MAX;
        for (ServedLane lane : caughtUp ? lanes.all() : List.<ServedLane>of()) {
            millis = Math.min(millis, Math.max(1, lane.nextLoadAtMillis() - now));
        }
        return millis;
    }

    /** Ends a running {@link #poll} early. May be called by any thread. */
    void wakeUp() {
        Consumer<byte[], byte[]> polling = consumer;
        if (polling != null) {
            polling.wakeup();
        }
    }

    private void assign() {
        List<TopicPartition> snapshots = partitions(snapshotsTopic);
        List<TopicPartition> control = partitions(controlTopic);
        List<TopicPartition> partitions = new ArrayList<>(snapshots);
        partitions.addAll(control);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = Map.copyOf(consumer.endOffsets(partitions));
        commandsRead = control.stream().allMatch(partition -> ends.get(partition) == 0);
        if (!commandsRead) {
            consumer.pause(snapshots);
        }
        endAtStart = ends;
    }

    private List<TopicPartition> partitions(String topic) {
        List<PartitionInfo> infos = consumer.partitionsFor(topic, FIRST_ANSWER_MAX);
        if (infos == null || infos.isEmpty()) {
            throw new MissingTopicException(topic);
        }
        return infos.stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    private List<TopicPartition> snapshotsOf(Collection<TopicPartition> partitions) {
        return partitions.stream()
                .filter(partition -> partition.topic().equals(snapshotsTopic))
                .toList();
    }

    private boolean hasReadToTheStart(String topic) {
        return endAtStart.entrySet().stream()
                .filter(end -> end.getKey().topic().equals(topic))
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** Whoever may write to a topic may write anything: no record keeps those behind it from being read. */
    private void take(Iterable<ConsumerRecord<byte[], byte[]>> messages, Taking taking) {
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            try {
                taking.take(message);
            } catch (UndecodableRecordException | IllegalArgumentException e) {
                skip(message, e.getMessage());
            } catch (RuntimeException e) {
                LOG.debug("{}-{} offset {}", message.topic(), message.partition(), message.offset(), e);
                skip(message, e.toString());
            }
        }
    }

    private void control(ConsumerRecord<byte[], byte[]> message) throws UndecodableRecordException {
        requireTrust(message);
        Control control = ControlRecords.decode(message.value(), message.timestamp());
        requireFirst(control);
        if (control.getCommand() != Command.UNKNOWN) {
            lanes.command(control);
        }
    }

    private void requireTrust(ConsumerRecord<byte[], byte[]> message) {
        Header header = message.headers().lastHeader(SignatureFormat.HEADER);
        trusted.check(message.topic(), message.key(), message.value(), header == null ? null : header.value());
    }

    /** A signature stays good: without this, whoever may write to the topic could give an old command again. */
    private void requireFirst(Control control) {
        if (trusted.isNone()) {
            return;
        }
        if (!commandsTaken.add(control.getCommandId())) {
            throw new IllegalArgumentException("command %s was given before".formatted(control.getCommandId()));
        }
        if (commandsTaken.size() > COMMANDS_TAKEN_MAX) {
            commandsTaken.remove(commandsTaken.iterator().next());
        }
    }

    /** What this worker was away for while it was withdrawn. */
    private void withdrawMissing() {
        reread.beginIfDue(snapshotsOf(consumer.assignment()), clockMillis.getAsLong());
        for (SnapshotsReread.Version missing : reread.missing()) {
            ServedLane lane = missing.lane();
            LOG.info("lane {}: version {} was withdrawn while this worker was away", lane.lane(), missing.number());
            withdrawn.add(lane, lane.retract(missing.number(), clockMillis.getAsLong()));
        }
    }

    private void snapshot(ConsumerRecord<byte[], byte[]> message) throws UndecodableRecordException {
        if (reread.isAgain(message)) {
            reread.seen(message);
            return;
        }
        requireTrust(message);
        if (message.value() == null) {
            retract(message);
        } else {
            SnapshotManifest manifest = RecordCodec.SNAPSHOT_MANIFEST.decode(message.value());
            SnapshotKey.of(manifest).require(message.key());
            announce(manifest, message.timestamp());
        }
    }

    /** A version is plausible by this clock or by the brokers', which stamp the record: what is left out now never comes again. */
    private void announce(SnapshotManifest manifest, long stampedAtMillis) {
        VersionNumbers.check(manifest.getVersion(), Math.max(clockMillis.getAsLong(), stampedAtMillis));
        Epochs.check(manifest.getEpoch());
        lanes.ofManifest(manifest.getLane()).ifPresent(lane -> {
            long jitter = Math.min(options.jitterMillisMax(), loader.missingBytes(manifest) / JITTER_BYTES_A_MILLI);
            lane.announce(
                    manifest,
                    clockMillis.getAsLong(),
                    ThreadLocalRandom.current().nextLong(jitter + 1));
        });
    }

    /** A tombstone. */
    private void retract(ConsumerRecord<byte[], byte[]> message) {
        SnapshotKey key = SnapshotKey.parse(message.key());
        lanes.known(key.lane())
                .ifPresent(lane -> withdrawn.add(lane, lane.retract(key.version(), clockMillis.getAsLong())));
    }

    private void skip(ConsumerRecord<byte[], byte[]> message, String why) {
        long untold = skipped.add(clockMillis.getAsLong());
        if (untold > 0) {
            LOG.warn(
                    "{}-{} offset {} skipped, {} since the last such line: {}",
                    message.topic(),
                    message.partition(),
                    message.offset(),
                    untold,
                    why);
        }
    }

    private void startDueLoads() {
        for (ServedLane lane : lanes.all()) {
            lane.nextLoad(clockMillis.getAsLong()).ifPresent(manifest -> loads.execute(() -> load(lane, manifest)));
        }
    }

    private void load(ServedLane lane, SnapshotManifest manifest) {
        try {
            LoadedSnapshot snapshot = loader.load(manifest, lane.freshIndex());
            lane.loaded(snapshot, clockMillis.getAsLong());
            evict();
        } catch (SnapshotLoader.RefusedException e) {
            lane.failed(manifest.getVersion(), e.getMessage(), false, clockMillis.getAsLong());
        } catch (IOException e) {
            lane.failed(manifest.getVersion(), describe(e), true, clockMillis.getAsLong());
        } catch (RuntimeException | Error e) {
            LOG.error("lane {}: loading version {} broke", lane.lane(), manifest.getVersion(), e);
            lane.failed(manifest.getVersion(), e.toString(), true, clockMillis.getAsLong());
        }
    }

    private void evict() {
        try {
            loader.evict();
        } catch (IOException e) {
            LOG.warn("the folder of segments {} cannot be tidied: {}", options.cacheFolder(), e.getMessage());
        }
    }

    /** The message of a missing file is its name only. */
    private static String describe(IOException e) {
        return e instanceof FileSystemException ? e.toString() : e.getMessage();
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close();
        }
        loader.close();
        lanes.close();
    }

    /** A topic that is not there. */
    static final class MissingTopicException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MissingTopicException(String topic) {
            super("topic " + topic
                    + " does not exist; create the topics first (tailrace topics create), or check the prefix");
        }
    }
}
