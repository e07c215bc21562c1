package io.tailrace.jobs.kafka;

import io.tailrace.operators.OutgoingRecord;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Flink's Kafka sink, but for transactions of a restored state that these brokers know nothing of: those of another Kafka, or older than the
 * brokers remember. {@link LeavingCommitter} leaves them. Flink's would fail, and be restarted, for ever.
 */
public final class LeavingSink
        implements Sink<OutgoingRecord>,
                SupportsWriterState<OutgoingRecord, KafkaWriterState>,
                SupportsCommitter<KafkaCommittable>,
                SupportsPostCommitTopology<KafkaCommittable> {
    private static final long serialVersionUID = 1L;

    private final KafkaSink<OutgoingRecord> kafka;

    LeavingSink(KafkaSink<OutgoingRecord> kafka) {
        this.kafka = kafka;
    }

    @Override
    public StatefulSinkWriter<OutgoingRecord, KafkaWriterState> createWriter(WriterInitContext context)
            throws IOException {
        return kafka.createWriter(context);
    }

    @Override
    public StatefulSinkWriter<OutgoingRecord, KafkaWriterState> restoreWriter(
            WriterInitContext context, Collection<KafkaWriterState> recovered) throws IOException {
        return kafka.restoreWriter(context, recovered);
    }

    @Override
    public SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
        return kafka.getWriterStateSerializer();
    }

    @Override
    public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) throws IOException {
        return new LeavingCommitter(kafka.createCommitter(context));
    }

    @Override
    public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
        return kafka.getCommittableSerializer();
    }

    @Override
    public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> committables) {
        kafka.addPostCommitTopology(committables);
    }
}
