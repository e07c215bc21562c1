package io.tailrace.jobs.kafka;

import io.tailrace.operators.OutgoingRecord;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes records to one topic as they are. */
final class OutgoingRecordSerializer implements KafkaRecordSerializationSchema<OutgoingRecord> {
    private static final long serialVersionUID = 1L;

    private final String topic;

    OutgoingRecordSerializer(String topic) {
        this.topic = topic;
    }

    @Override
    public ProducerRecord<byte[], byte[]> serialize(OutgoingRecord record, KafkaSinkContext context, Long timestamp) {
        return new ProducerRecord<>(topic, record.key(), record.value());
    }
}
