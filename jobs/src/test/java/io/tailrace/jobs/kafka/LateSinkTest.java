package io.tailrace.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.control.ClaimName;
import io.tailrace.operators.control.ClaimedEpoch;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Installation;
import io.tailrace.schemas.Control;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.junit.jupiter.api.Test;

final class LateSinkTest {
    /** Whoever asks it would wait. */
    private static final class Unclaimed implements Installation {
        private static final long serialVersionUID = 1L;

        @Override
        public List<ControlCommand> commands() throws IOException {
            throw new IOException("waits for the take-over");
        }

        @Override
        public void say(Control ofAJob) {
            throw new AssertionError("says something");
        }

        @Override
        public OptionalLong announced() {
            return OptionalLong.empty();
        }
    }

    private static final class NoTime implements SinkWriter.Context {
        @Override
        public long currentWatermark() {
            return 0;
        }

        @Override
        public Long timestamp() {
            return null;
        }
    }

    private static WriterInitContext context() {
        JobInfo job = (JobInfo) Proxy.newProxyInstance(
                LateSinkTest.class.getClassLoader(),
                new Class<?>[] {JobInfo.class},
                (proxy, method, arguments) -> new org.apache.flink.api.common.JobID());
        return (WriterInitContext) Proxy.newProxyInstance(
                LateSinkTest.class.getClassLoader(),
                new Class<?>[] {WriterInitContext.class},
                (proxy, method, arguments) -> job);
    }

    @Test
    void aTaskThatStartsWaitsForNothingAndOneThatHasMuchToSayWaits() throws Exception {
        SinkWriter<OutgoingRecord> writer =
                new LateSink(null, new ClaimedEpoch(new Unclaimed(), ClaimName.fresh(""))).createWriter(context());
        for (int i = 0; i < LateSink.HELD_MAX; i++) {
            writer.write(OutgoingRecord.of("toy@1/acme#" + i, null), new NoTime());
        }
        assertThatThrownBy(() -> writer.write(OutgoingRecord.of("toy@1/acme#1001", null), new NoTime()))
                .hasMessage("waits for the take-over");
    }

    @Test
    void aCheckpointWaits() {
        SinkWriter<OutgoingRecord> writer =
                new LateSink(null, new ClaimedEpoch(new Unclaimed(), ClaimName.fresh(""))).createWriter(context());
        assertThatThrownBy(() -> ((CommittingSinkWriter<?, ?>) writer).prepareCommit())
                .hasMessage("waits for the take-over");
    }
}
