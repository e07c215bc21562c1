package io.tailrace.jobs.kafka;

import io.tailrace.jobs.options.KafkaArguments;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.schemas.Topic;
import java.util.Properties;
import org.apache.flink.api.common.typeinfo.TypeInformation;
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
    private static final String DISCOVERY = "partition.discovery.interval.ms";
    /** A batch holds one largest record and Kafka's framing around it. */
    private static final int REQUEST_BYTES_MAX = Topic.RECORD_BYTES_MAX + (64 << 10);

    private final KafkaArguments options;

    public KafkaEnds(KafkaArguments options) {
        this.options = options;
    }

    /** From where the group left off, else from the beginning. */
    @SuppressWarnings("deprecation") // the connector takes no other form of "else earliest"
    public KafkaSource<RawRecord> continued(Topic topic) {
        return source(topic, OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST));
    }

    /** From the beginning, where the job has no state of its own. */
    public KafkaSource<RawRecord> fromBeginning(Topic topic) {
        return source(topic, OffsetsInitializer.earliest());
    }

    private KafkaSource<RawRecord> source(Topic topic, OffsetsInitializer start) {
        Properties properties = options.clientProperties();
        properties.put(DISCOVERY, Long.toString(options.partitionDiscoveryMillis()));
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return KafkaSource.<RawRecord>builder()
                .setProperties(properties)
                .setBootstrapServers(options.bootstrap())
                .setTopics(options.topic(topic))
                .setGroupId(options.group())
                .setStartingOffsets(start)
                .setDeserializer(new Deserializer())
                .build();
    }

    /** Records become visible with the checkpoint that made them, once. */
    public KafkaSink<OutgoingRecord> sink(Topic topic) {
        String name = options.topic(topic);
        Properties properties = producing();
        properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(options.transactionTimeoutMillis()));
        return KafkaSink.<OutgoingRecord>builder()
                .setBootstrapServers(options.bootstrap())
                .setKafkaProducerConfig(properties)
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(options.transactionalIdPrefix() + "-" + name)
                .setRecordSerializer(new Serializer(name))
                .build();
    }

    /** Records become visible at once; after a failure some come twice. */
    public KafkaSink<OutgoingRecord> immediateSink(Topic topic) {
        return KafkaSink.<OutgoingRecord>builder()
                .setBootstrapServers(options.bootstrap())
                .setKafkaProducerConfig(producing())
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new Serializer(options.topic(topic)))
                .build();
    }

    private Properties producing() {
        Properties properties = options.clientProperties();
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(REQUEST_BYTES_MAX));
        return properties;
    }

    /** Writes records to one topic as they are. */
    static final class Serializer implements KafkaRecordSerializationSchema<OutgoingRecord> {
        private static final long serialVersionUID = 1L;

        private final String topic;

        Serializer(String topic) {
            this.topic = topic;
        }

        @Override
        public ProducerRecord<byte[], byte[]> serialize(
                OutgoingRecord record, KafkaSinkContext context, Long timestamp) {
            return new ProducerRecord<>(topic, record.key(), record.value());
        }
    }

    /** Hands records on undecoded: what is wrong with them is for the operators to say, and nothing here throws. */
    static final class Deserializer implements KafkaRecordDeserializationSchema<RawRecord> {
        private static final long serialVersionUID = 1L;

        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawRecord> out) {
            out.collect(new RawRecord(
                    record.topic(), record.partition(), record.offset(), record.timestamp(), record.value()));
        }

        @Override
        public TypeInformation<RawRecord> getProducedType() {
            return TypeInformation.of(RawRecord.class);
        }
    }
}
