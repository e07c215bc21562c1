package io.tailrace.jobs.kafka;

import io.tailrace.jobs.options.KafkaArguments;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.RecordSigner;
import io.tailrace.schemas.signing.SignatureFormat;
import io.tailrace.schemas.signing.WriterKeys;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.serialization.SerializationSchema.InitializationContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The job's sources and sinks. */
public final class KafkaEnds {
    /** Where the state is of another topic, this one is read from its beginning. */
    public static final long FROM_BEGINNING = -1;

    /**
     * Where the group left off, else the beginning, as a number. Flink's own "where the group left off" stays one in the state of a partition until its first
     * record comes: restored later, it would mean where the group is by then.
     */
    @SuppressWarnings("deprecation") // the connector takes no other form of "else earliest"
    static final OffsetsInitializer CONTINUED = OffsetsInitializer.offsets(Map.of(), OffsetResetStrategy.EARLIEST);

    private static final String DISCOVERY = "partition.discovery.interval.ms";
    /** A batch holds one largest record and Kafka's framing around it. */
    private static final int REQUEST_BYTES_MAX = Topic.RECORD_BYTES_MAX + (64 << 10);

    private final KafkaArguments options;
    private final WriterKeys keys;

    /**
     * Sources and sinks.
     *
     * @param options which Kafka
     * @param keys what records of signed topics are signed with
     */
    public KafkaEnds(KafkaArguments options, WriterKeys keys) {
        this.options = options;
        this.keys = keys;
    }

    /** From where the group left off, else from the beginning; with state of another topic, from the beginning. */
    public Source<RawRecord, ?, ?> continued(Topic topic) {
        return source(topic, CONTINUED, FROM_BEGINNING);
    }

    /** What the brokers say of topics. */
    public AskedTopics topics() {
        return new AskedTopics(options.clientProperties());
    }

    /**
     * Generations, from where the group left off, else from the beginning.
     *
     * @param rereadMillis with state of a topic that this one is a mirror of, from so much before the record that was read last, by the
     *     brokers' time; or {@link #FROM_BEGINNING}
     */
    public Source<RawRecord, ?, ?> generations(long rereadMillis) {
        return source(options.boundTopics(Topic.GENERATIONS).names(), false, CONTINUED, rereadMillis);
    }

    /** Outcomes, from where the group left off, else from the beginning; with state of another topic, from the beginning. */
    public Source<RawRecord, ?, ?> outcomes() {
        return source(options.boundTopics(Topic.OUTCOMES).names(), false, CONTINUED, FROM_BEGINNING);
    }

    /** From the beginning, where the job has no state of its own. */
    public Source<RawRecord, ?, ?> fromBeginning(Topic topic) {
        return source(topic, OffsetsInitializer.earliest(), FROM_BEGINNING);
    }

    private TopicSource source(Topic topic, OffsetsInitializer start, long rereadMillis) {
        return source(List.of(options.topic(topic)), topic.isSigned(), start, rereadMillis);
    }

    private TopicSource source(List<String> topics, boolean signed, OffsetsInitializer start, long rereadMillis) {
        Properties properties = options.clientProperties();
        properties.put(DISCOVERY, Long.toString(options.partitionDiscoveryMillis()));
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        ReadTimes times = new ReadTimes();
        KafkaSource<RawRecord> source = KafkaSource.<RawRecord>builder()
                .setProperties(properties)
                .setBootstrapServers(options.bootstrap())
                .setTopics(topics)
                .setGroupId(options.group())
                .setStartingOffsets(start)
                .setDeserializer(new Deserializer(signed, times))
                .build();
        return new TopicSource(source, new TopicSplitFormat(topics, topics(), times, rereadMillis));
    }

    /** Records become visible with the checkpoint that made them, once. */
    public LeavingSink sink(Topic topic) {
        String name = options.topic(topic);
        Properties properties = producing();
        properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(options.transactionTimeoutMillis()));
        KafkaSink<OutgoingRecord> sink = KafkaSink.<OutgoingRecord>builder()
                .setBootstrapServers(options.bootstrap())
                .setKafkaProducerConfig(properties)
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(options.transactionalIdPrefix() + "-" + name)
                .setRecordSerializer(new Serializer(name, topic.isSigned() ? keys : WriterKeys.none()))
                .build();
        return new LeavingSink(sink);
    }

    /**
     * Records become visible at once; after a failure some come twice.
     *
     * @throws IllegalArgumentException for a signed topic: what readers act on waits for its checkpoint
     */
    public LeavingSink immediateSink(Topic topic) {
        if (topic.isSigned()) {
            throw new IllegalArgumentException("topic " + topic + " is signed; it needs the exactly-once sink");
        }
        return new LeavingSink(KafkaSink.<OutgoingRecord>builder()
                .setBootstrapServers(options.bootstrap())
                .setKafkaProducerConfig(producing())
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new Serializer(options.topic(topic), WriterKeys.none()))
                .build());
    }

    /** Whatever is configured for clients: readers of a lane's records look where Kafka's own partitioner puts its key. */
    Properties producing() {
        Properties properties = options.clientProperties();
        properties.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        properties.remove(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(REQUEST_BYTES_MAX));
        return properties;
    }

    /** Writes records to one topic as they are, signed where there is a key; its file is read where the task runs. */
    static final class Serializer implements KafkaRecordSerializationSchema<OutgoingRecord> {
        private static final long serialVersionUID = 1L;

        private final String topic;
        private final WriterKeys keys;
        private transient RecordSigner signer;

        Serializer(String topic, WriterKeys keys) {
            this.topic = topic;
            this.keys = keys;
        }

        @Override
        public void open(InitializationContext context, KafkaSinkContext sinkContext) {
            signer = keys.signer().orElse(null);
        }

        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                OutgoingRecord record, KafkaSinkContext context, Long timestamp) {
            ProducerRecord<byte[], byte[]> written = new ProducerRecord<>(topic, record.key(), record.value());
            if (signer != null) {
                written.headers().add(SignatureFormat.HEADER, signer.sign(topic, record.key(), record.value()));
            }
            return written;
        }
    }

    /** Hands records on undecoded: what is wrong with them is for the operators to say, and nothing here throws. */
    static final class Deserializer implements KafkaRecordDeserializationSchema<RawRecord> {
        private static final long serialVersionUID = 1L;

        private final boolean signed;
        private final ReadTimes times;

        /** @param times told of each record */
        Deserializer(boolean signed, ReadTimes times) {
            this.signed = signed;
            this.times = times;
        }

        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawRecord> out) {
            times.read(record.topic(), record.partition(), record.timestamp());
            out.collect(new RawRecord(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    record.value(),
                    signed ? record.key() : null,
                    signed ? TopicContent.signature(record) : null));
        }

        @Override
        public TypeInformation<RawRecord> getProducedType() {
            return TypeInformation.of(RawRecord.class);
        }
    }
}
