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
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class AdmissionTallyTest {
    private static final RejectedRecord REJECTED =
            new RejectedRecord(RejectionReason.UNDECODABLE, OutgoingRecord.of("k", new byte[0]));

    private static KeyedTwoInputStreamOperatorTestHarness<String, RejectedRecord, TopicNote, OutgoingRecord> harness(
            OperatorSubtaskState state, long epoch) throws Exception {
        var harness = new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(new AdmissionTally(job -> epoch)),
                (RejectedRecord record) -> AdmissionTally.KEY,
                (TopicNote note) -> AdmissionTally.KEY,
                Types.STRING);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        return harness;
    }

    private static Event told(
            KeyedTwoInputStreamOperatorTestHarness<String, RejectedRecord, TopicNote, OutgoingRecord> harness, long at)
            throws Exception {
        harness.setProcessingTime(at);
        List<OutgoingRecord> records = harness.extractOutputValues();
        return RecordCodec.EVENT.decode(records.get(records.size() - 1).value());
    }

    private static Map<String, Long> numbers(long rejected, long lost, long before) {
        return Map.of("recordsRejected", rejected, "recordsLost", lost, "recordsBefore", before);
    }

    @Test
    void whatWasRefusedIsToldInTheEpochOfTheJobAndCountedOnAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = harness(null, 3)) {
            harness.processElement1(new StreamRecord<>(REJECTED));
            harness.processElement1(new StreamRecord<>(REJECTED));
            Event event = told(harness, 1_000);
            assertThat(event.getKind()).isEqualTo(EventKind.ACCOUNTING);
            assertThat(event.getLane()).isNull();
            assertThat(event.getNumbers()).isEqualTo(numbers(2, 0, 0));
            assertThat(event.getEpoch()).isEqualTo(3);
            checkpoint = harness.snapshot(1, 1_000);
        }
        try (var harness = harness(checkpoint, 4)) {
            harness.processElement1(new StreamRecord<>(REJECTED));
            Event event = told(harness, 1_000);
            assertThat(event.getNumbers()).isEqualTo(numbers(3, 0, 0));
            assertThat(event.getEpoch()).isEqualTo(4);
        }
    }

    @Test
    void whatWasLostIsToldAtOnceAndCountedOn() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = harness(null, 3)) {
            harness.processElement2(new StreamRecord<>(TopicNote.lost(new LostRecords("generations", 2, 100, 40))));
            Event event = RecordCodec.EVENT.decode(
                    harness.extractOutputValues().get(0).value());
            assertThat(event.getKind()).isEqualTo(EventKind.RECORDS_LOST);
            assertThat(event.getMessage())
                    .isEqualTo(
                            "40 records of topic generations, partition 2, were removed by its retention before this job"
                                    + " read them: offsets 100 to 139");
            assertThat(event.getNumbers()).isEqualTo(Map.of("partition", 2L, "from", 100L, "records", 40L));
            assertThat(event.getEpoch()).isEqualTo(3);
            assertThat(told(harness, 1_000).getNumbers()).isEqualTo(numbers(0, 40, 0));
            checkpoint = harness.snapshot(1, 1_000);
        }
        try (var harness = harness(checkpoint, 3)) {
            harness.processElement2(new StreamRecord<>(TopicNote.lost(new LostRecords("generations", 0, 5, 2))));
            assertThat(told(harness, 1_000).getNumbers()).isEqualTo(numbers(0, 42, 0));
        }
    }

    /** An audit knows by its epoch that it is of this start. */
    @Test
    void whatWasReadOfTopicsBeforeIsToldOnceAStart() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = harness(null, 3)) {
            harness.processElement2(new StreamRecord<>(TopicNote.begun(0)));
            harness.processElement2(new StreamRecord<>(TopicNote.begun(0)));
            assertThat(told(harness, 1_000).getNumbers()).isEqualTo(numbers(0, 0, 0));
            assertThat(harness.extractOutputValues()).hasSize(1);
            harness.processElement2(new StreamRecord<>(TopicNote.lost(new LostRecords("generations", 0, 5, 2))));
            checkpoint = harness.snapshot(1, 1_000);
        }
        try (var harness = harness(checkpoint, 4)) {
            harness.processElement2(new StreamRecord<>(TopicNote.begun(40)));
            Event event = told(harness, 2_000);
            assertThat(event.getNumbers()).isEqualTo(numbers(0, 2, 40));
            assertThat(event.getEpoch()).isEqualTo(4);
        }
    }

    /** Topic events forgets it after a week. */
    @Test
    void anAccountIsToldAgainEachDay() throws Exception {
        try (var harness = harness(null, 3)) {
            harness.processElement1(new StreamRecord<>(REJECTED));
            for (int day = 1; day <= 10; day++) {
                assertThat(told(harness, 86_400_000L * day).getNumbers()).containsEntry("recordsRejected", 1L);
                assertThat(harness.extractOutputValues()).hasSize(day);
            }
        }
    }
}
