package io.tailrace.operators.drift;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.suffix.learn.TokenReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class DriftWatchTest {
    private static final long SEED = 20_261_127L;
    private static final long EPOCH = 3;

    private static KeyedOneInputStreamOperatorTestHarness<String, DriftWatch.Observation, DriftWatch.Report> harness(
            OperatorSubtaskState state) throws Exception {
        var harness = new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new DriftWatch(1_000_000, job -> EPOCH)),
                DriftWatch.Observation::lane,
                Types.STRING);
        harness.setup();
        harness.initializeState(state);
        harness.open();
        return harness;
    }

    private static void feed(
            KeyedOneInputStreamOperatorTestHarness<String, DriftWatch.Observation, DriftWatch.Report> harness,
            Random random,
            int place,
            int generations)
            throws Exception {
        for (int i = 0; i < generations; i++) {
            int[] tokens = random.ints(60, place, place + 300).toArray();
            harness.processElement(DriftWatch.Observation.ofTokens(LANE, TokenReference.sketch(tokens)), 0);
            harness.processElement(DriftWatch.Observation.ofLoss(LANE, 30, 30), 0);
        }
    }

    private static List<EventKind> kinds(
            KeyedOneInputStreamOperatorTestHarness<String, DriftWatch.Observation, DriftWatch.Report> harness)
            throws Exception {
        List<EventKind> kinds = new ArrayList<>();
        var events = harness.getSideOutput(DriftWatch.EVENTS);
        while (events != null && !events.isEmpty()) {
            Event event = RecordCodec.EVENT.decode(events.remove().getValue().value());
            assertThat(event.getLane().getScope()).isEqualTo("acme");
            assertThat(event.getEpoch()).isEqualTo(EPOCH);
            kinds.add(event.getKind());
        }
        return kinds;
    }

    @Test
    void outcomesOfALaneThatNoGenerationHasNamedMakeNoState() throws Exception {
        try (var harness = harness(null)) {
            for (int i = 0; i < 100; i++) {
                harness.processElement(DriftWatch.Observation.ofLoss("toy@1/scope-" + i, 30, 30), 0);
            }
            assertThat(harness.numKeyedStateEntries()).isZero();
            feed(harness, new Random(SEED), 0, 1);
            assertThat(harness.numKeyedStateEntries()).isEqualTo(1);
        }
    }

    /** After a clock jumped all timers that are ahead fire at once; the next report is made in its time. */
    @Test
    void reportsGoOnWhenATimerFiresEarly() throws Exception {
        var operator = new KeyedProcessOperator<String, DriftWatch.Observation, DriftWatch.Report>(
                new DriftWatch(1_000_000, job -> EPOCH));
        try (var harness =
                new KeyedOneInputStreamOperatorTestHarness<>(operator, DriftWatch.Observation::lane, Types.STRING)) {
            harness.open();
            harness.setProcessingTime(100_000_000);
            feed(harness, new Random(SEED), 0, 1);
            harness.setProcessingTime(0); // the clock goes back
            operator.setCurrentKey(LANE);
            operator.onProcessingTime(new TimerHeapInternalTimer<>(100_005_000L, LANE, VoidNamespace.INSTANCE));
            assertThat(harness.extractOutputValues()).hasSize(1);
            feed(harness, new Random(SEED), 0, 1);
            harness.setProcessingTime(60_000);
            assertThat(harness.extractOutputValues()).hasSize(2);
        }
    }

    @Test
    void aShiftIsToldAndIsOverAfterAWhileAlsoAcrossARestore() throws Exception {
        Random random = new Random(SEED);
        OperatorSubtaskState checkpoint;
        try (var harness = harness(null)) {
            feed(harness, random, 0, 500);
            assertThat(kinds(harness)).isEmpty();
            checkpoint = harness.snapshot(1, 1);
        }
        try (var harness = harness(checkpoint)) {
            feed(harness, random, 5_000, 100);
            assertThat(kinds(harness)).containsExactly(EventKind.DRIFT);
            assertThat(harness.extractOutputValues())
                    .anySatisfy(report -> assertThat(report.raised()).isTrue());
            feed(harness, random, 5_000, 400);
            assertThat(kinds(harness)).containsExactly(EventKind.DRIFT_ENDED);
            harness.setProcessingTime(10_000);
            DriftWatch.Report last = harness.extractOutputValues()
                    .get(harness.extractOutputValues().size() - 1);
            assertThat(last.alarm()).isFalse();
            assertThat(last.alarms()).isEqualTo(1);
            assertThat(last.toRecord().getNovelty()).isGreaterThan(5);
        }
    }
}
