package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.RejectionReason;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class AdmissionTallyTest {
    private static final RejectedRecord REJECTED =
            new RejectedRecord(RejectionReason.UNDECODABLE, OutgoingRecord.of("k", new byte[0]));

    private static KeyedOneInputStreamOperatorTestHarness<String, RejectedRecord, OutgoingRecord> harness(
            OperatorSubtaskState state, long epoch) throws Exception {
        var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new AdmissionTally(job -> epoch)),
                (RejectedRecord record) -> AdmissionTally.KEY,
                Types.STRING);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        return harness;
    }

    private static Event told(
            KeyedOneInputStreamOperatorTestHarness<String, RejectedRecord, OutgoingRecord> harness, long at)
            throws Exception {
        harness.setProcessingTime(at);
        List<OutgoingRecord> records = harness.extractOutputValues();
        return RecordCodec.EVENT.decode(records.get(records.size() - 1).value());
    }

    @Test
    void whatWasRefusedIsToldInTheEpochOfTheJobAndCountedOnAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = harness(null, 3)) {
            harness.processElement(REJECTED, 0);
            harness.processElement(REJECTED, 0);
            Event event = told(harness, 1_000);
            assertThat(event.getKind()).isEqualTo(EventKind.ACCOUNTING);
            assertThat(event.getLane()).isNull();
            assertThat(event.getNumbers()).isEqualTo(Map.of("recordsRejected", 2L));
            assertThat(event.getEpoch()).isEqualTo(3);
            checkpoint = harness.snapshot(1, 1_000);
        }
        try (var harness = harness(checkpoint, 4)) {
            harness.processElement(REJECTED, 0);
            Event event = told(harness, 1_000);
            assertThat(event.getNumbers()).isEqualTo(Map.of("recordsRejected", 3L));
            assertThat(event.getEpoch()).isEqualTo(4);
        }
    }
}
