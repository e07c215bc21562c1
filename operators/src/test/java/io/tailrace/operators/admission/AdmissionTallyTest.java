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

    private static Harness begun(OperatorSubtaskState state, long epoch) throws Exception {
        Harness harness = new Harness(epoch);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        harness.hear(TopicNote.begun(0));
        return harness;
    }

    private static Map<String, Long> numbers(long rejected, long lost, long before, long passed, long taken) {
        return Map.of(
                "recordsRejected", rejected,
                "recordsLost", lost,
                "recordsBefore", before,
                "recordsPassed", passed,
                "recordsTaken", taken);
    }

    @Test
    void whatWasRefusedIsToldInTheEpochOfTheJobAndCountedOnAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (Harness harness = begun(null, 3)) {
            harness.refuse();
            harness.refuse();
            checkpoint = harness.snapshot(1, 500);
            Event event = harness.told(1_000);
            assertThat(event.getKind()).isEqualTo(EventKind.ACCOUNTING);
            assertThat(event.getLane()).isNull();
            assertThat(event.getNumbers()).isEqualTo(numbers(2, 0, 0, 0, 0));
            assertThat(event.getEpoch()).isEqualTo(3);
        }
        try (Harness harness = begun(checkpoint, 4)) {
            harness.refuse();
            checkpoint = harness.snapshot(2, 500);
            Event event = harness.told(1_000);
            assertThat(event.getNumbers()).isEqualTo(numbers(3, 0, 0, 0, 0));
            assertThat(event.getEpoch()).isEqualTo(4);
        }
    }

    @Test
    void whatWasLostIsToldAtOnceAndCountedOn() throws Exception {
        OperatorSubtaskState checkpoint;
        try (Harness harness = begun(null, 3)) {
            harness.hear(TopicNote.lost(new LostRecords("generations", 2, 100, 40)));
            Event event = RecordCodec.EVENT.decode(
                    harness.extractOutputValues().get(0).value());
            assertThat(event.getKind()).isEqualTo(EventKind.RECORDS_LOST);
            assertThat(event.getMessage())
                    .isEqualTo(
                            "40 records of topic generations, partition 2, were removed by its retention before this job"
                                    + " read them: offsets 100 to 139");
            assertThat(event.getNumbers()).isEqualTo(Map.of("partition", 2L, "from", 100L, "records", 40L));
            assertThat(event.getEpoch()).isEqualTo(3);
            checkpoint = harness.snapshot(1, 500);
            assertThat(harness.told(1_000).getNumbers()).isEqualTo(numbers(0, 40, 0, 0, 0));
        }
        try (Harness harness = begun(checkpoint, 3)) {
            harness.hear(TopicNote.lost(new LostRecords("generations", 0, 5, 2)));
            checkpoint = harness.snapshot(2, 500);
            assertThat(harness.told(1_000).getNumbers()).isEqualTo(numbers(0, 42, 0, 0, 0));
        }
    }

    /** What comes after the barrier is of the next moment: told with it, the numbers of one event would not be of one. */
    @Test
    void numbersAreThoseOfTheLastBarrier() throws Exception {
        OperatorSubtaskState checkpoint;
        try (Harness harness = begun(null, 3)) {
            harness.refuse();
            harness.hear(TopicNote.taken(4));
            harness.hear(TopicNote.passed(5));
            checkpoint = harness.snapshot(1, 500);
            harness.refuse();
            harness.hear(TopicNote.taken(1));
            assertThat(harness.told(1_000).getNumbers()).isEqualTo(numbers(1, 0, 0, 5, 4));
            harness.setProcessingTime(5_000);
            assertThat(harness.accounts()).as("no barrier has passed since").isEqualTo(1);
            harness.hear(TopicNote.passed(2));
            checkpoint = harness.snapshot(2, 5_000);
            assertThat(harness.told(6_000).getNumbers()).isEqualTo(numbers(2, 0, 0, 7, 5));
            harness.setProcessingTime(9_000);
            assertThat(harness.accounts()).as("nothing has changed").isEqualTo(2);
        }
        try (Harness harness = begun(checkpoint, 4)) {
            harness.hear(TopicNote.passed(1));
            harness.setProcessingTime(20_000);
            assertThat(harness.accounts()).as("no barrier has passed here").isZero();
            checkpoint = harness.snapshot(3, 20_000);
            assertThat(harness.told(21_000).getNumbers()).isEqualTo(numbers(2, 0, 0, 8, 5));
        }
    }

    /** An audit knows by its epoch that it is of this start. */
    @Test
    void whatWasReadOfTopicsBeforeIsToldOnceAStart() throws Exception {
        OperatorSubtaskState checkpoint;
        try (Harness harness = begun(null, 3)) {
            harness.hear(TopicNote.begun(0));
            checkpoint = harness.snapshot(1, 500);
            assertThat(harness.told(1_000).getNumbers()).isEqualTo(numbers(0, 0, 0, 0, 0));
            harness.setProcessingTime(3_000);
            assertThat(harness.accounts()).isEqualTo(1);
            harness.hear(TopicNote.lost(new LostRecords("generations", 0, 5, 2)));
            checkpoint = harness.snapshot(2, 3_000);
        }
        try (Harness harness = begun(checkpoint, 4)) {
            harness.hear(TopicNote.begun(40));
            checkpoint = harness.snapshot(3, 1_000);
            Event event = harness.told(2_000);
            assertThat(event.getNumbers()).isEqualTo(numbers(0, 2, 40, 0, 0));
            assertThat(event.getEpoch()).isEqualTo(4);
        }
    }

    /** Topic events forgets it after a week. */
    @Test
    void anAccountIsToldAgainEachDay() throws Exception {
        try (Harness harness = begun(null, 3)) {
            harness.refuse();
            assertThat(harness.snapshot(1, 0)).isNotNull();
            for (int day = 1; day <= 10; day++) {
                assertThat(harness.told(86_400_000L * day).getNumbers()).containsEntry("recordsRejected", 1L);
                assertThat(harness.accounts()).isEqualTo(day);
            }
        }
    }

    private static final class Harness
            extends KeyedTwoInputStreamOperatorTestHarness<String, RejectedRecord, TopicNote, OutgoingRecord> {
        Harness(long epoch) throws Exception {
            super(
                    new KeyedCoProcessOperator<>(new AdmissionTally(job -> epoch)),
                    record -> AdmissionTally.KEY,
                    note -> AdmissionTally.KEY,
                    Types.STRING);
        }

        void refuse() throws Exception {
            processElement1(new StreamRecord<>(REJECTED));
        }

        void hear(TopicNote note) throws Exception {
            processElement2(new StreamRecord<>(note));
        }

        /** The last event by then. */
        Event told(long at) throws Exception {
            setProcessingTime(at);
            List<OutgoingRecord> records = extractOutputValues();
            return RecordCodec.EVENT.decode(records.get(records.size() - 1).value());
        }

        long accounts() throws Exception {
            long accounts = 0;
            for (OutgoingRecord record : extractOutputValues()) {
                accounts += RecordCodec.EVENT.decode(record.value()).getKind() == EventKind.ACCOUNTING ? 1 : 0;
            }
            return accounts;
        }
    }
}
