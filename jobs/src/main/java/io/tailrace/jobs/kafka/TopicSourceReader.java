package io.tailrace.jobs.kafka;

import io.tailrace.operators.RawRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads as another reader does, but drops splits of topics that the source does not read: a state brings them that is older than the source's list of topics. */
@SuppressWarnings("try") // closing may be interrupted, as Flink's interface says
final class TopicSourceReader implements SourceReader<RawRecord, KafkaPartitionSplit> {
    private static final Logger LOG = LoggerFactory.getLogger(TopicSourceReader.class);

    private final SourceReader<RawRecord, KafkaPartitionSplit> reader;
    private final Predicate<KafkaPartitionSplit> isRead;

    TopicSourceReader(SourceReader<RawRecord, KafkaPartitionSplit> reader, Predicate<KafkaPartitionSplit> isRead) {
        this.reader = reader;
        this.isRead = isRead;
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
        List<KafkaPartitionSplit> read = new ArrayList<>();
        for (KafkaPartitionSplit split : splits) {
            if (isRead.test(split)) {
                read.add(split);
            } else {
                LOG.info("{} is none of the topics that are read: its place is dropped", split.getTopicPartition());
            }
        }
        reader.addSplits(read);
    }

    @Override
    public void start() {
        reader.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<RawRecord> output) throws Exception {
        return reader.pollNext(output);
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
        return reader.snapshotState(checkpointId);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return reader.isAvailable();
    }

    @Override
    public void notifyNoMoreSplits() {
        reader.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        reader.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        reader.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        reader.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {
        reader.pauseOrResumeSplits(pause, resume);
    }

    @Override
    public void close() throws Exception {
        reader.close();
    }
}
