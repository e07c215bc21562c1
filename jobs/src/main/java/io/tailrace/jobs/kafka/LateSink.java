package io.tailrace.jobs.kafka;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.control.ClaimedEpoch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * A Kafka sink that does nothing before its job has taken the installation over. The connector's writer aborts, as it starts, the open transactions of
 * the job that its state is from. That job may run still, and a job that can never get all its tasks to run would break it with each try.
 */
public final class LateSink
        implements Sink<OutgoingRecord>,
                SupportsWriterState<OutgoingRecord, KafkaWriterState>,
                SupportsCommitter<KafkaCommittable>,
                SupportsPostCommitTopology<KafkaCommittable> {
    private static final long serialVersionUID = 1L;
    /** More wait for the take-over, and with them whoever writes them: far more than comes while tasks start. */
    static final int HELD_MAX = 1_000;

    private final LeavingSink sink;
    private final ClaimedEpoch claimed;

    /**
     * The sink, later.
     *
     * @param claimed whose take-over is waited for
     */
    public LateSink(LeavingSink sink, ClaimedEpoch claimed) {
        this.sink = sink;
        this.claimed = claimed;
    }

    @Override
    public SinkWriter<OutgoingRecord> createWriter(WriterInitContext context) {
        return restoreWriter(context, List.of());
    }

    @Override
    public StatefulSinkWriter<OutgoingRecord, KafkaWriterState> restoreWriter(
            WriterInitContext context, Collection<KafkaWriterState> recovered) {
        return new LateWriter(context, recovered);
    }

    @Override
    public SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
        return sink.getWriterStateSerializer();
    }

    @Override
    public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) throws IOException {
        return sink.createCommitter(context);
    }

    @Override
    public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
        return sink.getCommittableSerializer();
    }

    @Override
    public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> committables) {
        sink.addPostCommitTopology(committables);
    }

    /** What came before the first checkpoint was tried. */
    private record Held(OutgoingRecord element, Long timestamp, long currentWatermark) implements SinkWriter.Context {}

    @SuppressWarnings("try") // the writers' own close says that it may throw anything
    private final class LateWriter
            implements StatefulSinkWriter<OutgoingRecord, KafkaWriterState>,
                    CommittingSinkWriter<OutgoingRecord, KafkaCommittable> {
        private final WriterInitContext context;
        private final List<KafkaWriterState> recovered;
        /** A task that starts must not wait for the take-over, which waits for the task. Once it runs it may. */
        private final List<Held> held = new ArrayList<>();

        private StatefulSinkWriter<OutgoingRecord, KafkaWriterState> writer;

        LateWriter(WriterInitContext context, Collection<KafkaWriterState> recovered) {
            this.context = context;
            this.recovered = List.copyOf(recovered);
        }

        private StatefulSinkWriter<OutgoingRecord, KafkaWriterState> writer() throws IOException, InterruptedException {
            if (writer == null) {
                claimed.awaitTakeOver(context.getJobInfo());
                writer = sink.restoreWriter(context, recovered);
                for (Held early : held) {
                    writer.write(early.element(), early);
                }
                held.clear();
            }
            return writer;
        }

        @Override
        public void write(OutgoingRecord element, Context elementContext) throws IOException, InterruptedException {
            if (writer == null && held.size() < HELD_MAX) {
                held.add(new Held(element, elementContext.timestamp(), elementContext.currentWatermark()));
            } else {
                writer().write(element, elementContext);
            }
        }

        @Override
        public void flush(boolean endOfInput) throws IOException, InterruptedException {
            writer().flush(endOfInput);
        }

        /** The connector's writer is one of these, too. */
        @Override
        @SuppressWarnings("unchecked")
        public Collection<KafkaCommittable> prepareCommit() throws IOException, InterruptedException {
            return ((CommittingSinkWriter<OutgoingRecord, KafkaCommittable>) writer()).prepareCommit();
        }

        @Override
        public List<KafkaWriterState> snapshotState(long checkpointId) throws IOException {
            return writer.snapshotState(checkpointId);
        }

        @Override
        public void close() throws Exception {
            if (writer != null) {
                writer.close();
            }
        }
    }
}
