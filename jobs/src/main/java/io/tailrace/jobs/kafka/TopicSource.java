package io.tailrace.jobs.kafka;

import io.tailrace.operators.RawRecord;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Flink's Kafka source of some topics, whose checkpoints say of which topic their offsets are. Restored from offsets of another one, such as after a move to
 * another Kafka, it does not go on at them. What is read anew is {@link TopicSplitFormat}'s to say. Places of topics that it does not read are dropped; if
 * such a topic is read again later, it is as one that was never read. Nothing else differs.
 */
final class TopicSource
        implements Source<RawRecord, KafkaPartitionSplit, KafkaSourceEnumState>, ResultTypeQueryable<RawRecord> {
    private static final long serialVersionUID = 1L;

    private final KafkaSource<RawRecord> kafka;
    private final TopicSplitFormat splits;

    /** @param splits the format of the source's splits, whose deserializer is the source's own */
    TopicSource(KafkaSource<RawRecord> kafka, TopicSplitFormat splits) {
        this.kafka = kafka;
        this.splits = splits;
    }

    @Override
    public Boundedness getBoundedness() {
        return kafka.getBoundedness();
    }

    @Override
    public SourceReader<RawRecord, KafkaPartitionSplit> createReader(SourceReaderContext context) throws Exception {
        return new TopicSourceReader(kafka.createReader(context), splits::isRead);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return kafka.createEnumerator(context);
    }

    /** It knows only which partitions there are; where they are read is said by the splits. */
    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState checkpoint) throws IOException {
        return kafka.restoreEnumerator(context, read(checkpoint));
    }

    private KafkaSourceEnumState read(KafkaSourceEnumState checkpoint) {
        return new KafkaSourceEnumState(
                checkpoint.assignedSplits().stream().filter(splits::isRead).toList(),
                checkpoint.unassignedSplits().stream().filter(splits::isRead).toList(),
                checkpoint.initialDiscoveryFinished());
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return splits;
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return kafka.getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<RawRecord> getProducedType() {
        return kafka.getProducedType();
    }
}
