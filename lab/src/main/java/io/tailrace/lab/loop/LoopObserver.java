package io.tailrace.lab.loop;

import io.tailrace.lab.loop.LoopObserver.Accounting.Records;
import io.tailrace.lab.loop.LoopObserver.Accounting.Tokens;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.schemas.signing.UntrustedRecordException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Tails the topics that workers and the job write, and adds up what they say. One thread at a time. */
public final class LoopObserver implements AutoCloseable {
    private static final List<Topic> TAILED = List.of(Topic.OUTCOMES, Topic.EVENTS, Topic.REJECTIONS, Topic.SNAPSHOTS);

    private final TopicTail tail;
    private final TrustedKeys trusted;
    private final FleetTotals total = new FleetTotals();
    private final Map<String, FleetTotals> byWorker = new TreeMap<>();
    /** By lane; under no lane what was refused before it reached one. */
    private final Map<Optional<LaneId>, Map<String, Long>> accounts = new HashMap<>();

    private final Map<LaneId, Long> versions = new TreeMap<>(Comparator.comparing(LaneId::toString));
    private final Map<EventKind, Long> events = new EnumMap<>(EventKind.class);
    private final List<Event> kept = new ArrayList<>();
    private final AnnouncedTimes announced = new AnnouncedTimes();
    private SnapshotManifest newest;
    private long rejections;

    /**
     * An observer that has read nothing yet.
     *
     * @param clientSettings Kafka client settings with {@code bootstrap.servers}
     * @param topicPrefix stands before every topic's name
     * @param trusted who may announce versions; what they did not sign is left out
     */
    public LoopObserver(Map<String, String> clientSettings, String topicPrefix, TrustedKeys trusted) {
        this.trusted = trusted;
        this.tail = new TopicTail(clientSettings, topicPrefix, TAILED);
    }

    /** An observer of the unprefixed topics of a broker, who asks for no signatures. */
    public static LoopObserver of(String bootstrap) {
        return of(bootstrap, TrustedKeys.none());
    }

    /** The same of a loop whose announcements are signed. */
    public static LoopObserver of(String bootstrap, TrustedKeys trusted) {
        return new LoopObserver(Map.of("bootstrap.servers", bootstrap), "", trusted);
    }

    /** Reads what is new, waiting up to {@code max} for it. */
    public void poll(Duration max) {
        tail.poll(max, this::read);
    }

    public FleetTotals total() {
        return total;
    }

    /** Outcomes of one worker or engine. */
    public FleetTotals total(String worker) {
        return byWorker.computeIfAbsent(worker, name -> new FleetTotals());
    }

    /** Newest announced version of each lane. */
    public Map<LaneId, Long> versions() {
        return versions;
    }

    /** Newest announced version of any lane; 0 before the first. */
    public long newestVersion() {
        return versions.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** From a generation's completion to its announcement, milliseconds, over the versions that the topic still has. */
    public Histogram announcedMillis() {
        return announced.millis();
    }

    /** Begins {@link #announcedMillis} anew: what was completed earlier does not count from now on. */
    public void announcedMillisFrom(Instant completedAtMin) {
        announced.from(completedAtMin);
    }

    /** How often the job wrote an event of this kind. */
    public long events(EventKind kind) {
        return events.getOrDefault(kind, 0L);
    }

    /** The events of a kind other than accounting, in their order. */
    public List<Event> all(EventKind kind) {
        return kept.stream().filter(event -> event.getKind() == kind).toList();
    }

    /** The manifest announced last, of any lane. */
    public Optional<SnapshotManifest> newest() {
        return Optional.ofNullable(newest);
    }

    /** The loop's accounts as far as they have been read; asks Kafka for the offsets of topic generations. */
    public Accounting accounting() {
        return new Accounting(
                new Records(
                        tail.records(Topic.GENERATIONS),
                        sum("recordsAdmitted"),
                        sum("recordsDuplicate"),
                        rejections,
                        sum("recordsRejected")),
                new Tokens(
                        sum("tokensAdmitted"),
                        sum("tokensLive"),
                        sum("tokensPending"),
                        sum("tokensExpired"),
                        sum("tokensDeleted"),
                        sum("tokensLost")));
    }

    @Override
    public void close() {
        tail.close();
    }

    private void read(Topic topic, ConsumerRecord<byte[], byte[]> read) {
        if (read.value() == null || (topic.isSigned() && !isTrusted(read))) {
            return;
        }
        try {
            switch (topic) {
                case OUTCOMES -> add(RecordCodec.OUTCOME.decode(read.value()));
                case EVENTS -> add(RecordCodec.EVENT.decode(read.value()));
                case SNAPSHOTS -> add(RecordCodec.SNAPSHOT_MANIFEST.decode(read.value()));
                case REJECTIONS -> rejections++;
                default -> throw new IllegalStateException("topic " + topic + " is not tailed");
            }
        } catch (UndecodableRecordException e) {
            throw new IllegalStateException(
                    "%s-%d at offset %d: %s".formatted(read.topic(), read.partition(), read.offset(), e.getMessage()),
                    e);
        }
    }

    private boolean isTrusted(ConsumerRecord<byte[], byte[]> read) {
        Header header = read.headers().lastHeader(SignatureFormat.HEADER);
        try {
            trusted.check(read.topic(), read.key(), read.value(), header == null ? null : header.value());
            return true;
        } catch (UntrustedRecordException e) {
            return false;
        }
    }

    private void add(Outcome outcome) {
        total.add(outcome);
        total(outcome.getWorker()).add(outcome);
    }

    private void add(Event event) {
        events.merge(event.getKind(), 1L, Long::sum);
        if (event.getKind() == EventKind.ACCOUNTING) {
            accounts.put(Optional.ofNullable(event.getLane()).map(LaneId::of), event.getNumbers());
        } else {
            kept.add(event);
        }
    }

    private void add(SnapshotManifest manifest) {
        announced.add(manifest.getCompletionTimesAdded(), manifest.getCreatedAt());
        newest = manifest;
        versions.merge(LaneId.of(manifest.getLane()), manifest.getVersion(), Math::max);
    }

    private long sum(String number) {
        return accounts.values().stream()
                .mapToLong(lane -> lane.getOrDefault(number, 0L))
                .sum();
    }

    /** Reads topics from their beginning, committed records only, without a consumer group. */
    static final class TopicTail implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final String prefix;
        private final Map<String, Topic> topics = new HashMap<>();

        TopicTail(Map<String, String> clientSettings, String prefix, Collection<Topic> tailed) {
            Map<String, Object> settings = new HashMap<>(clientSettings);
            settings.put("isolation.level", "read_committed");
            settings.put("enable.auto.commit", false);
            settings.put("auto.offset.reset", "earliest");
            this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.prefix = prefix;
            List<TopicPartition> partitions = new ArrayList<>();
            for (Topic topic : tailed) {
                topics.put(topic.name(prefix), topic);
                partitions.addAll(partitions(topic));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
        }

        /** Hands over what is there, waiting up to {@code max} for the first record. */
        void poll(Duration max, BiConsumer<Topic, ConsumerRecord<byte[], byte[]>> reader) {
            for (ConsumerRecord<byte[], byte[]> read : consumer.poll(max)) {
                reader.accept(topics.get(read.topic()), read);
            }
        }

        /** Records that were ever written to a topic whose writers use no transactions, and that retention has not reached. */
        long records(Topic topic) {
            List<TopicPartition> partitions = partitions(topic);
            long records = 0;
            for (long end : consumer.endOffsets(partitions).values()) {
                records += end;
            }
            for (long begin : consumer.beginningOffsets(partitions).values()) {
                records -= begin;
            }
            return records;
        }

        @Override
        public void close() {
            consumer.close();
        }

        private List<TopicPartition> partitions(Topic topic) {
            return consumer.partitionsFor(topic.name(prefix)).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
        }
    }

    /**
     * The two equations that hold after any fault: every record read was admitted, a duplicate or rejected, and every token
     * admitted is live, pending, expired, deleted or lost.
     */
    public record Accounting(Records records, Tokens tokens) {
        /**
         * Records of topic generations.
         *
         * @param read how many the topic holds, by its offsets
         * @param admitted by the job's accounts
         * @param duplicate by the job's accounts
         * @param rejected how many topic rejections holds
         * @param rejectedByJob how many the job's accounts say
         */
        public record Records(long read, long admitted, long duplicate, long rejected, long rejectedByJob) {
            public boolean closes() {
                return read == admitted + duplicate + rejected && rejected == rejectedByJob;
            }
        }

        /** Response tokens, by the job's accounts. */
        public record Tokens(long admitted, long live, long pending, long expired, long deleted, long lost) {
            public boolean closes() {
                return admitted == live + pending + expired + deleted + lost;
            }
        }

        public boolean closes() {
            return records.closes() && tokens.closes();
        }

        /** Both equations close and nothing waits for a snapshot. */
        public boolean settled() {
            return closes() && tokens.pending() == 0;
        }
    }
}
