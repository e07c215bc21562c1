package io.tailrace.jobs.kafka;

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
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A Kafka sink that does nothing before its job has taken the installation over. The connector's writer aborts, as it starts, the open transactions of
 * the job that its state is from. That job may run still, and a job that can never get all its tasks to run would break it with each try.
 */
public final class LateSink<T> implements Sink<T>, SupportsWriterState<T, Object>, SupportsCommitter<Object> {
    private static final long serialVersionUID = 1L;
    /** Far more than timers make while a task starts. */
    private static final int HELD_MAX = 1_000;

    private final KafkaSink<T> sink;
    private final ClaimedEpoch claimed;

    /**
     * The sink, later.
     *
     * @param claimed whose take-over is waited for
     */
    public LateSink(KafkaSink<T> sink, ClaimedEpoch claimed) {
        this.sink = sink;
        this.claimed = claimed;
    }

    /** The connector's states and committables are its own, and have no public type. */
    @SuppressWarnings("unchecked")
    private static <X> X of(Object connectors) {
        return (X) connectors;
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) {
        return restoreWriter(context, List.of());
    }

    @Override
    public StatefulSinkWriter<T, Object> restoreWriter(WriterInitContext context, Collection<Object> recovered) {
        return new LateWriter(context, recovered);
    }

    @Override
    public SimpleVersionedSerializer<Object> getWriterStateSerializer() {
        return of(sink.getWriterStateSerializer());
    }

    @Override
    public Committer<Object> createCommitter(CommitterInitContext context) throws IOException {
        return of(sink.createCommitter(context));
    }

    @Override
    public SimpleVersionedSerializer<Object> getCommittableSerializer() {
        return of(sink.getCommittableSerializer());
    }

    /** What came before the first checkpoint was tried. */
    private record Held<T>(T element, Long timestamp, long currentWatermark) implements SinkWriter.Context {}

    private final class LateWriter implements StatefulSinkWriter<T, Object>, CommittingSinkWriter<T, Object> {
        private final WriterInitContext context;
        private final List<Object> recovered;
        /** Timers fire while a task starts: it must not wait for the take-over, which waits for the task. */
        private final List<Held<T>> held = new ArrayList<>();

        private SinkWriter<T> writer;

        LateWriter(WriterInitContext context, Collection<Object> recovered) {
            this.context = context;
            this.recovered = List.copyOf(recovered);
        }

        private SinkWriter<T> writer() throws IOException, InterruptedException {
            if (writer == null) {
                claimed.awaitTakeOver(context.getJobInfo());
                writer = LateSink.<SupportsWriterState<T, Object>>of(sink).restoreWriter(context, recovered);
                for (Held<T> early : held) {
                    writer.write(early.element(), early);
                }
                held.clear();
            }
            return writer;
        }

        @Override
        public void write(T element, Context elementContext) throws IOException, InterruptedException {
            if (writer == null && held.size() < HELD_MAX) {
                held.add(new Held<>(element, elementContext.timestamp(), elementContext.currentWatermark()));
            } else {
                writer().write(element, elementContext);
            }
        }

        @Override
        public void flush(boolean endOfInput) throws IOException, InterruptedException {
            writer().flush(endOfInput);
        }

        @Override
        public Collection<Object> prepareCommit() throws IOException, InterruptedException {
            return LateSink.<CommittingSinkWriter<T, Object>>of(writer()).prepareCommit();
        }

        @Override
        public List<Object> snapshotState(long checkpointId) throws IOException {
            return LateSink.<StatefulSinkWriter<T, Object>>of(writer).snapshotState(checkpointId);
        }

        @Override
        public void close() throws Exception {
            if (writer != null) {
                writer.close();
            }
        }
    }
}
