package io.tailrace.operators.admission;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.signals.LaneObservation;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.signals.ReplaySample;
import io.tailrace.operators.signals.ReplaySampling;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.learn.TokenReference;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

/** The function around the rules: where what is admitted goes. */
@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class AdmissionTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final int[] RESPONSE = {1, 2, 3};

    private static BroadcastOperatorTestHarness<RawRecord, LaneSignal, AdmittedGeneration> harness(
            OperatorSubtaskState state) throws Exception {
        AdmissionOptions options =
                new AdmissionOptions(Samples.MODELS, AdmissionLimits.defaults(), List.of(), 8, Set.of(), 10, false);
        var harness = new BroadcastOperatorTestHarness<>(
                new CoBroadcastWithNonKeyedOperator<>(
                        new Admission(options, new ReplaySampling(1, 2)), List.of(LaneSignal.descriptor())),
                128,
                1,
                0);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        harness.setProcessingTime(NOW);
        return harness;
    }

    private static StreamRecord<RawRecord> generation() {
        Generation generation = new Generation(
                "request-1",
                new Lane("toy", "1", "acme"),
                "gateway-7",
                null,
                TokenIds.toList(RESPONSE),
                Instant.ofEpochMilli(NOW - 10),
                Instant.ofEpochMilli(NOW),
                null);
        return new StreamRecord<>(new RawRecord("generations", 3, 17, NOW, RecordCodec.GENERATION.encode(generation)));
    }

    private static StreamRecord<LaneSignal> announced() {
        return new StreamRecord<>(new LaneSignal(LaneSignal.Kind.SNAPSHOT, LANE, 7, 7, null));
    }

    private static int count(BroadcastOperatorTestHarness<?, ?, ?> harness, OutputTag<?> tag) {
        var records = harness.getSideOutput(tag);
        return records == null ? 0 : records.size();
    }

    @Test
    void whatBelongsToALaneThatWasNeverAnnouncedIsForTheRegisterToDecide() throws Exception {
        try (var harness = harness(null)) {
            harness.processElement(generation());
            assertThat(harness.extractOutputValues()).isEmpty();
            LaneArrival arrival =
                    harness.getSideOutput(LaneArrival.OUTPUT).element().getValue();
            assertThat(arrival.generation().lane()).isEqualTo(LANE);
            assertThat(arrival.generation().tokens()).containsExactly(RESPONSE);
            assertThat(arrival.sketch()).containsExactly(TokenReference.sketch(RESPONSE));
            assertThat(count(harness, LaneObservation.OUTPUT)).isZero();
            assertThat(count(harness, ReplaySample.OUTPUT)).isZero();
        }
    }

    @Test
    void onceItsLaneWasAnnouncedAGenerationGoesToItsShardAtOnceAlsoAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = harness(null)) {
            harness.processBroadcastElement(announced());
            checkpoint = harness.snapshot(1, NOW);
        }
        try (var harness = harness(checkpoint)) {
            harness.processElement(generation());
            assertThat(harness.extractOutputValues())
                    .singleElement()
                    .satisfies(generation -> assertThat(generation.lane()).isEqualTo(LANE));
            assertThat(count(harness, LaneArrival.OUTPUT)).isZero();
            assertThat(count(harness, LaneObservation.OUTPUT)).isEqualTo(1);
            assertThat(count(harness, ReplaySample.OUTPUT)).isEqualTo(1);
        }
    }
}
