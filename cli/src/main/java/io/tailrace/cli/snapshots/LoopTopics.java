package io.tailrace.cli.snapshots;

import io.tailrace.client.KafkaAccess;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.TrustedKeys;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.BrokerOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Reads the loop's topics as they stand, and gives commands on topic control. */
public final class LoopTopics implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final String bootstrap;
    private final Map<String, Object> settings;
    private final String prefix;
    private final Consumer<byte[], byte[]> consumer;
    private final TrustedKeys trusted;
    private final java.util.function.Consumer<String> warn;
    private volatile long skipped;

    /** What is done with a record of a topic. */
    @FunctionalInterface
    public interface Taking {
        /**
         * Takes one record.
         *
         * @throws IllegalArgumentException if the record is none of its topic, as {@link UndecodableRecordException} says, too
         */
        void take(ConsumerRecord<byte[], byte[]> record) throws UndecodableRecordException;

        /** Is told of one that was not taken, and why. */
        default void skip(ConsumerRecord<byte[], byte[]> record, Exception why) {}
    }

    /**
     * The topics of an installation.
     *
     * @param brokers where they are
     * @param trusted who may have written to the signed ones; other records are skipped
     * @throws io.tailrace.client.UnreachableBrokersException if no broker answers
     */
    public LoopTopics(BrokerOptions brokers, TrustedKeys trusted) {
        this(new KafkaAccess(brokers.bootstrap(), brokers.topicPrefix(), brokers.clientSettings()), trusted);
    }

    /** The same where no options name the brokers. */
    public LoopTopics(KafkaAccess brokers, TrustedKeys trusted) {
        this.trusted = trusted;
        this.bootstrap = brokers.bootstrap();
        brokers.requireReachable();
        this.prefix = brokers.topicPrefix();
        this.settings = new HashMap<>(brokers.clientProperties());
        settings.put("bootstrap.servers", bootstrap);
        settings.putIfAbsent("default.api.timeout.ms", (int) PATIENCE.toMillis());
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put("allow.auto.create.topics", false);
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        warn = System.err::println;
    }

    /** @param warn told of records that are skipped */
    LoopTopics(
            Consumer<byte[], byte[]> consumer,
            String prefix,
            TrustedKeys trusted,
            java.util.function.Consumer<String> warn) {
        this.trusted = trusted;
        this.bootstrap = "memory";
        this.consumer = consumer;
        this.prefix = prefix;
        this.warn = warn;
        this.settings = Map.of();
    }

    /** Reads topics from their beginnings to their ends. */
    public void read(Taking into, Topic... topics) {
        Map<Topic, Long> since = new EnumMap<>(Topic.class);
        for (Topic topic : topics) {
            since.put(topic, 0L);
        }
        begin(since);
        readToEnds(into, Long.MAX_VALUE);
    }

    /** From here on these topics are read, each from its first record that is no older than the epoch milliseconds; 0: from its beginning. */
    public void begin(Map<Topic, Long> since) {
        answered(() -> seekTo(since));
    }

    private void seekTo(Map<Topic, Long> since) {
        Map<TopicPartition, Long> times = new HashMap<>();
        since.forEach((topic, millis) -> partitions(topic).forEach(partition -> times.put(partition, millis)));
        consumer.assign(times.keySet());
        consumer.seekToBeginning(times.keySet());
        times.values().removeIf(millis -> millis == 0);
        if (!times.isEmpty()) {
            consumer.offsetsForTimes(times).forEach(this::seek);
        }
    }

    /** From here on the partition of a topic is read that records of the key stand in, unless the topic had fewer partitions once. */
    public void beginAt(Topic topic, String key) {
        List<TopicPartition> partitions = answered(() -> partitionsOf(topic, key));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /**
     * From here on the last records of each partition of a topic are read.
     *
     * @param name full name of the topic
     * @param recordsMax so many of each partition; a place that holds no record counts, too
     */
    public void beginAtLast(String name, long recordsMax) {
        answered(() -> {
            List<TopicPartition> partitions = partitions(name);
            consumer.assign(partitions);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            consumer.endOffsets(partitions)
                    .forEach((partition, end) ->
                            consumer.seek(partition, Math.max(begins.get(partition), end - recordsMax)));
        });
    }

    private void seek(TopicPartition partition, OffsetAndTimestamp first) {
        if (first == null) {
            consumer.seekToEnd(List.of(partition));
        } else {
            consumer.seek(partition, first.offset());
        }
    }

    /**
     * Reads on to where the topics end now.
     *
     * @param deadlineNanos of {@link System#nanoTime}, when to stop
     * @return false: it was stopped
     */
    public boolean readToEnds(Taking into, long deadlineNanos) {
        return answered(() -> readOn(into, deadlineNanos));
    }

    private boolean readOn(Taking into, long deadlineNanos) {
        List<TopicPartition> partitions = List.copyOf(consumer.assignment());
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long patience = System.nanoTime() + PATIENCE.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            if (System.nanoTime() > patience) {
                throw silent("nothing of the topics came");
            }
            long before = positions(partitions);
            follow(Duration.ofMillis(200), into);
            if (positions(partitions) > before) {
                patience = System.nanoTime() + PATIENCE.toNanos();
            }
        }
        return true;
    }

    private long positions(List<TopicPartition> partitions) {
        return partitions.stream().mapToLong(consumer::position).sum();
    }

    /** From here on only what is written to a topic from now on is read. */
    void watch(Topic topic) {
        answered(() -> {
            List<TopicPartition> partitions = partitions(topic);
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
        });
    }

    private void answered(Runnable asked) {
        answered(() -> {
            asked.run();
            return true;
        });
    }

    /** What the brokers say, if they say it in time. */
    private <T> T answered(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (TimeoutException e) {
            throw silent(e.getMessage());
        }
    }

    private IllegalStateException silent(String what) {
        return new IllegalStateException("Kafka at %s has not answered for %d s: %s; is it well?"
                .formatted(bootstrap, PATIENCE.toSeconds(), what));
    }

    /** Reads what is new. */
    public void follow(Duration max, Taking into) {
        consumer.poll(max).forEach(record -> take(record, into));
    }

    /** A record that cannot be read is skipped: it must not lock an operator out of a lane. The first is told, how many there were is told at the end. */
    private void take(ConsumerRecord<byte[], byte[]> record, Taking into) {
        try {
            requireTrust(record);
            into.take(record);
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            long before = skipped;
            skipped = before + 1;
            into.skip(record, e);
            if (before == 0) {
                warn.accept("tailrace: %s-%d at offset %d is skipped: %s"
                        .formatted(record.topic(), record.partition(), record.offset(), e.getMessage()));
            }
        }
    }

    private void requireTrust(ConsumerRecord<byte[], byte[]> record) {
        if (isSigned(record)) {
            Header header = record.headers().lastHeader(SignatureFormat.HEADER);
            trusted.check(record.topic(), record.key(), record.value(), header == null ? null : header.value());
        }
    }

    private boolean isSigned(ConsumerRecord<byte[], byte[]> record) {
        return Stream.of(Topic.values()).anyMatch(topic -> topic.isSigned() && isOf(record, topic));
    }

    /** A record's key. */
    public static String key(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            throw new IllegalArgumentException("it has no key");
        }
        return new String(record.key(), StandardCharsets.UTF_8);
    }

    /** Where a lane's part of a key ends. */
    public static int hash(String key) {
        int hash = key.lastIndexOf('#');
        if (hash < 0) {
            throw new IllegalArgumentException("its key has no '#'");
        }
        return hash;
    }

    /** Whether it stands on that topic, or on one beside it that is bound to scopes. */
    public boolean isOf(ConsumerRecord<byte[], byte[]> record, Topic topic) {
        String name = topic.name(prefix);
        return record.topic().equals(name)
                || (hasBoundTopics(topic) && record.topic().startsWith(name + "-"));
    }

    private static boolean hasBoundTopics(Topic topic) {
        return topic == Topic.GENERATIONS || topic == Topic.OUTCOMES;
    }

    /** The number by which manifests name the partition that a record of topic generations stands in. */
    public int place(ConsumerRecord<byte[], byte[]> record) {
        return BoundTopics.place(Topic.GENERATIONS.name(prefix), record.topic(), record.partition());
    }

    /** The topic that a record stands on. */
    public Topic topic(ConsumerRecord<byte[], byte[]> record) {
        for (Topic topic : Topic.values()) {
            if (isOf(record, topic)) {
                return topic;
            }
        }
        throw new IllegalArgumentException("topic " + record.topic() + " is none of the installation's");
    }

    /** Whether records of signed topics are taken only where somebody known has signed them. */
    public boolean checksSignatures() {
        return !trusted.isNone();
    }

    /** How many records could not be read, or were not to be trusted. */
    public long skipped() {
        return skipped;
    }

    /** Writes a command, signed where there is a signer; when this returns, the brokers have it. Returns when they took it, by their clock. */
    long send(Control command, Optional<RecordSigner> signer) {
        Map<String, Object> producing = new HashMap<>(settings);
        producing
                .keySet()
                .removeAll(List.of(
                        "isolation.level", "auto.offset.reset", "enable.auto.commit", "allow.auto.create.topics"));
        producing.remove("default.api.timeout.ms");
        producing.put("acks", "all");
        if (!producing.containsKey("request.timeout.ms") && !producing.containsKey("delivery.timeout.ms")) {
            producing.put("request.timeout.ms", (int) PATIENCE.toMillis());
            producing.put("delivery.timeout.ms", (int) PATIENCE.toMillis());
            producing.put("linger.ms", 0);
        }
        producing.putIfAbsent("max.block.ms", PATIENCE.toMillis());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producing, new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] key = command.getCommandId().getBytes(StandardCharsets.UTF_8);
            byte[] value = RecordCodec.CONTROL.encode(command);
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(Topic.CONTROL.name(prefix), key, value);
            signer.ifPresent(
                    keys -> record.headers().add(SignatureFormat.HEADER, keys.sign(record.topic(), key, value)));
            return producer.send(record).get().timestamp();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "topic control at %s did not take the command: %s"
                            .formatted(bootstrap, e.getCause().getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before topic control took the command", e);
        }
    }

    /** Records ever written to a topic, transactions' markers counted. */
    public long everWritten(Topic topic) {
        return answered(() -> consumer.endOffsets(partitions(topic)).values().stream()
                .mapToLong(Long::longValue)
                .sum());
    }

    private List<TopicPartition> partitionsOf(Topic topic, String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return names(topic).stream()
                .map(name -> new TopicPartition(
                        name,
                        BuiltInPartitioner.partitionForKey(
                                bytes, partitions(name).size())))
                .toList();
    }

    /** Records of a topic that retention has removed. */
    public long removed(Topic topic) {
        return answered(() -> consumer.beginningOffsets(partitions(topic)).values().stream()
                .mapToLong(Long::longValue)
                .sum());
    }

    /** Topics generations and outcomes have others beside them, which are bound to scopes. */
    private List<String> names(Topic topic) {
        String name = topic.name(prefix);
        List<String> names = new ArrayList<>(List.of(name));
        if (hasBoundTopics(topic)) {
            consumer.listTopics().keySet().stream()
                    .filter(other -> other.startsWith(name + "-"))
                    .sorted()
                    .forEach(names::add);
        }
        return names;
    }

    private List<TopicPartition> partitions(Topic topic) {
        return names(topic).stream().flatMap(name -> partitions(name).stream()).toList();
    }

    private List<TopicPartition> partitions(String name) {
        List<PartitionInfo> infos = consumer.partitionsFor(name);
        if (infos == null || infos.isEmpty()) {
            throw new BadInputException("there is no topic " + name
                    + "; create it with 'tailrace topics create', or correct --topic-prefix");
        }
        return infos.stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }

    @Override
    public void close() {
        if (skipped > 1) {
            warn.accept("tailrace: %,d records were skipped".formatted(skipped));
        }
        consumer.close();
    }
}
