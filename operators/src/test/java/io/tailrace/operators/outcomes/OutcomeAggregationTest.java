package io.tailrace.operators.outcomes;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.RawRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.StepTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class OutcomeAggregationTest {
    private long requests;

    private static KeyedCoProcessOperator<String, RequestOutcome, LaneSignal, LaneOutcome> operator(int lanesMax) {
        return new KeyedCoProcessOperator<>(new OutcomeAggregation(lanesMax));
    }

    private static KeyedTwoInputStreamOperatorTestHarness<String, RequestOutcome, LaneSignal, LaneOutcome> harness(
            KeyedCoProcessOperator<String, RequestOutcome, LaneSignal, LaneOutcome> operator) throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                operator, RequestOutcome::lane, LaneSignal::lane, Types.STRING);
    }

    private static KeyedTwoInputStreamOperatorTestHarness<String, RequestOutcome, LaneSignal, LaneOutcome> opened(
            int lanesMax) throws Exception {
        var harness = harness(operator(lanesMax));
        harness.open();
        return harness;
    }

    private static LaneSignal announced(String lane) {
        return new LaneSignal(LaneSignal.Kind.SNAPSHOT, lane, 1, 1, 1, null);
    }

    /** Of another request each time. */
    private RequestOutcome outcome(String lane, long accepted) {
        return new RequestOutcome(lane, "w", requests++, totals(accepted), List.of(), null);
    }

    private static LaneOutcome.Totals totals(long accepted) {
        return new LaneOutcome.Totals(1, 10, 20, accepted, 10 + accepted);
    }

    @Test
    void sumsAreReportedOnceASecondALane() throws Exception {
        try (var harness = opened(1000)) {
            harness.setProcessingTime(10_000);
            for (int i = 0; i < 5; i++) {
                harness.processElement1(outcome(LANE, i), 0);
            }
            harness.processElement1(outcome(OTHER_LANE, 7), 0);
            assertThat(harness.extractOutputValues()).isEmpty();
            harness.setProcessingTime(13_000);
            assertThat(harness.extractOutputValues())
                    .containsExactlyInAnyOrder(
                            new LaneOutcome(LANE, new LaneOutcome.Totals(5, 50, 100, 10, 60)),
                            new LaneOutcome(OTHER_LANE, new LaneOutcome.Totals(1, 10, 20, 7, 17)));
        }
    }

    @Test
    void sumsGoOnAfterARestore() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = opened(1000)) {
            harness.processElement1(outcome(LANE, 1), 0);
            checkpoint = harness.snapshot(1, 1);
        }
        try (var harness = harness(operator(1000))) {
            harness.initializeState(checkpoint);
            harness.open();
            harness.processElement1(outcome(LANE, 2), 0);
            harness.setProcessingTime(5_000);
            assertThat(harness.extractOutputValues())
                    .last()
                    .isEqualTo(new LaneOutcome(LANE, new LaneOutcome.Totals(2, 20, 40, 3, 23)));
        }
    }

    /** A worker may call scopes what it likes; each would be state for ever. */
    @Test
    void whatIsKnownOfALaneGoesWhenNoOutcomeCameForAMonth() throws Exception {
        try (var harness = opened(1000)) {
            for (int i = 0; i < 100; i++) {
                harness.processElement1(outcome("toy@1/scope-" + i, 1), 0);
            }
            assertThat(harness.numKeyedStateEntries()).isGreaterThanOrEqualTo(100);
            for (int day = 1; day <= 40; day++) {
                harness.setProcessingTime(Duration.ofDays(day).toMillis());
                harness.processElement1(outcome(LANE, 1), 0);
            }
            harness.setProcessingTime(Duration.ofDays(40).toMillis() + 2_000);
            assertThat(harness.numKeyedStateEntries()).isLessThanOrEqualTo(4);
            assertThat(harness.extractOutputValues())
                    .last()
                    .isEqualTo(new LaneOutcome(LANE, new LaneOutcome.Totals(40, 400, 800, 40, 440)));
        }
    }

    /** After a clock jumped, and at a start, all timers that are ahead fire at once. */
    @Test
    void whatIsKnownOfALaneStaysWhenItsTimersFireEarly() throws Exception {
        var operator = operator(1000);
        try (var harness = harness(operator)) {
            harness.open();
            harness.processElement1(outcome(LANE, 1), 0);
            long day = Duration.ofDays(1).toMillis();
            long end = OutcomeAggregation.DAYS_KEPT * day;
            operator.setCurrentKey(LANE);
            operator.onProcessingTime(new TimerHeapInternalTimer<>(end, LANE, VoidNamespace.INSTANCE));
            assertThat(harness.extractOutputValues())
                    .containsExactly(new LaneOutcome(LANE, new LaneOutcome.Totals(1, 10, 20, 1, 11)));
            harness.setProcessingTime(end - 1);
            assertThat(harness.numKeyedStateEntries()).isPositive();
            harness.setProcessingTime(end);
            assertThat(harness.numKeyedStateEntries()).isZero();
        }
    }

    @Test
    void aLaneHasOneTimerForItsEndWhateverDaysItLives() throws Exception {
        try (var harness = opened(1000)) {
            for (int day = 0; day < 40; day++) {
                harness.setProcessingTime(day * Duration.ofDays(1).toMillis());
                harness.processElement1(outcome(LANE, 1), 0);
                assertThat(harness.numProcessingTimeTimers())
                        .as("one for its end, one to report")
                        .isEqualTo(2);
            }
        }
    }

    /** At a start all timers that are ahead fire at once: of a fleet's lanes none has anything to tell. */
    @Test
    void aTimerThatFiresEarlyReportsNoLaneThatHasNothingNew() throws Exception {
        OperatorSubtaskState checkpoint;
        try (var harness = opened(1000)) {
            harness.processElement1(outcome(LANE, 1), 0);
            harness.setProcessingTime(2_000);
            assertThat(harness.extractOutputValues()).hasSize(1);
            checkpoint = harness.snapshot(1, 1);
        }
        var operator = operator(1000);
        try (var harness = harness(operator)) {
            harness.initializeState(checkpoint);
            harness.open();
            harness.setProcessingTime(2_000);
            long end = OutcomeAggregation.DAYS_KEPT * Duration.ofDays(1).toMillis();
            operator.setCurrentKey(LANE);
            operator.onProcessingTime(new TimerHeapInternalTimer<>(end, LANE, VoidNamespace.INSTANCE));
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.numProcessingTimeTimers()).isEqualTo(1);
        }
    }

    @Test
    void lanesBeyondTheLimitAreLeftOutAndThoseThatAreThereGoOn() throws Exception {
        try (var harness = opened(2)) {
            for (int i = 0; i < 100; i++) {
                harness.processElement1(outcome("toy@1/scope-" + i % 10, 1), 0);
            }
            harness.setProcessingTime(2_000);
            assertThat(harness.extractOutputValues())
                    .containsExactlyInAnyOrder(
                            new LaneOutcome("toy@1/scope-0", new LaneOutcome.Totals(10, 100, 200, 10, 110)),
                            new LaneOutcome("toy@1/scope-1", new LaneOutcome.Totals(10, 100, 200, 10, 110)));
        }
    }

    @Test
    void whoInventsScopesTakesNoPlaceOfALaneThatIsAnnounced() throws Exception {
        try (var harness = opened(2)) {
            harness.processElement2(announced(LANE), 0);
            for (int i = 0; i < 100; i++) {
                harness.processElement1(outcome("toy@1/scope-" + i, 1), 0);
            }
            harness.processElement1(outcome(LANE, 1), 0);
            harness.processElement1(outcome(OTHER_LANE, 1), 0);
            harness.processElement2(announced(OTHER_LANE), 0);
            harness.processElement1(outcome(OTHER_LANE, 2), 0);
            harness.setProcessingTime(2_000);
            assertThat(harness.extractOutputValues())
                    .extracting(LaneOutcome::lane)
                    .containsExactlyInAnyOrder("toy@1/scope-0", "toy@1/scope-1", LANE, OTHER_LANE);
        }
    }

    @Test
    void aLaneThatIsAnnouncedOrForgottenGivesItsPlaceBack() throws Exception {
        try (var harness = opened(1)) {
            harness.processElement1(outcome("toy@1/scope-0", 1), 0);
            harness.processElement1(outcome("toy@1/scope-1", 1), 0);
            harness.processElement2(announced("toy@1/scope-0"), 0);
            harness.processElement1(outcome("toy@1/scope-2", 1), 0);
            harness.setProcessingTime(
                    Duration.ofDays(OutcomeAggregation.DAYS_KEPT).toMillis());
            harness.processElement1(outcome("toy@1/scope-3", 1), 0);
            harness.setProcessingTime(
                    Duration.ofDays(OutcomeAggregation.DAYS_KEPT).toMillis() + 2_000);
            assertThat(harness.extractOutputValues())
                    .extracting(LaneOutcome::lane)
                    .containsExactlyInAnyOrder("toy@1/scope-0", "toy@1/scope-2", "toy@1/scope-3");
        }
    }

    @Test
    void anOutcomeOfAScopeThatItsTopicMayNotBringIsLeftOut() throws Exception {
        BoundTopics topics = new BoundTopics("outcomes", List.of(BoundTopics.Bound.parse("acme=acme", "outcomes")));
        byte[] acme = RecordCodec.OUTCOME.encode(record("acme"));
        byte[] another = RecordCodec.OUTCOME.encode(record("another"));
        try (var harness =
                ProcessFunctionTestHarnesses.forProcessFunction(new OutcomeDecoding(Samples.MODELS, topics))) {
            harness.processElement(new RawRecord("outcomes", 0, 0, 0, acme), 0);
            harness.processElement(new RawRecord("outcomes-acme", 0, 0, 0, another), 0);
            assertThat(harness.extractOutputValues()).isEmpty();
            harness.processElement(new RawRecord("outcomes-acme", 0, 1, 0, acme), 0);
            harness.processElement(new RawRecord("outcomes", 0, 1, 0, another), 0);
            assertThat(harness.extractOutputValues())
                    .extracting(RequestOutcome::lane)
                    .containsExactly(LANE, "toy@1/another");
        }
    }

    @Test
    void anOutcomeRecordGivesItsNumbersAndWhatIsNoneIsLeftOut() throws Exception {
        Outcome outcome = record("acme");
        try (var harness = ProcessFunctionTestHarnesses.forProcessFunction(
                new OutcomeDecoding(Samples.MODELS, BoundTopics.only("outcomes")))) {
            harness.processElement(new RawRecord("outcomes", 0, 0, 0, new byte[] {1}), 0);
            harness.processElement(new RawRecord("outcomes", 0, 1, 0, RecordCodec.OUTCOME.encode(outcome)), 0);
            outcome.setLane(new Lane("no-such-model", "1", "acme"));
            harness.processElement(new RawRecord("outcomes", 0, 2, 0, RecordCodec.OUTCOME.encode(outcome)), 0);
            assertThat(harness.extractOutputValues())
                    .usingRecursiveFieldByFieldElementComparatorIgnoringFields("hash")
                    .containsExactly(new RequestOutcome(LANE, "w", 0, totals(7), List.of(), null));
        }
    }

    /** A worker that no broker answered sends what is not acknowledged once more, though it may have arrived. */
    @Test
    void anOutcomeThatComesAgainChangesNothing() throws Exception {
        OperatorSubtaskState checkpoint;
        LaneOutcome once;
        try (var harness = opened(1000)) {
            harness.processElement1(measured("r1", "w1"), 0);
            harness.processElement1(measured("r2", "w1"), 0);
            harness.setProcessingTime(2_000);
            once = lastOf(harness.extractOutputValues());
            harness.processElement1(measured("r1", "w1"), 0);
            harness.setProcessingTime(4_000);
            assertThat(lastOf(harness.extractOutputValues())).isEqualTo(once);
            assertThat(once.totals().requests()).isEqualTo(2);
            assertThat(once.costs()).isNotEmpty();
            assertThat(harness.getSideOutput(DriftWatch.Observation.OUTPUT)).hasSize(2);
            checkpoint = harness.snapshot(1, 1);
        }
        try (var harness = harness(operator(1000))) {
            harness.initializeState(checkpoint);
            harness.open();
            harness.processElement1(measured("r2", "w1"), 0);
            harness.processElement1(measured("r3", "w1"), 0);
            harness.setProcessingTime(6_000);
            assertThat(lastOf(harness.extractOutputValues()).totals().requests())
                    .isEqualTo(3);
            assertThat(harness.getSideOutput(DriftWatch.Observation.OUTPUT)).hasSize(1);
        }
    }

    @Test
    void twoWorkersMayHaveAnOutcomeOfOneRequestEach() throws Exception {
        try (var harness = opened(1000)) {
            harness.processElement1(measured("r1", "w1"), 0);
            harness.processElement1(measured("r1", "w2"), 0);
            harness.setProcessingTime(2_000);
            assertThat(lastOf(harness.extractOutputValues()).totals().requests())
                    .isEqualTo(2);
        }
    }

    private static LaneOutcome lastOf(List<LaneOutcome> reports) {
        return reports.get(reports.size() - 1);
    }

    private static RequestOutcome measured(String request, String worker) {
        return OutcomeDecoding.decode(Samples.outcome()
                .setRequestId(request)
                .setWorker(worker)
                .setStepTimes(List.of(new StepTime(1, 9, 8, 53_000L)))
                .setLogLoss(1.5)
                .setPredictions(3)
                .build());
    }

    private static Outcome record(String scope) {
        return new Outcome(
                "r",
                new Lane("toy", "1", scope),
                "w",
                "cpu",
                "adaptive",
                0L,
                0L,
                3,
                17,
                10,
                20,
                7,
                List.of(),
                List.of(),
                5L,
                List.of(),
                Instant.EPOCH,
                Instant.EPOCH,
                0.0,
                0L,
                Finish.UNKNOWN,
                List.of());
    }

    @Test
    void timesOfStepsAreStepCosts() {
        List<StepTime> times = List.of(new StepTime(1, 9, 2, 20_000L), new StepTime(8, 9, 3, 60_000L));
        Outcome.Builder outcome = Outcome.newBuilder()
                .setRequestId("r")
                .setLane(new Lane("toy", "1", "acme"))
                .setWorker("w")
                .setWorkerClass("cpu")
                .setStrategy("adaptive")
                .setSnapshotVersionFirst(0)
                .setSnapshotVersionLast(0)
                .setPromptTokens(1)
                .setResponseTokens(1)
                .setSteps(5)
                .setDrafted(0)
                .setAccepted(0)
                .setBySource(List.of())
                .setStepTimes(times)
                .setDraftMicros(0)
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH);
        assertThat(OutcomeDecoding.decode(outcome.build()).costs())
                .containsExactly(
                        new LaneOutcome.StepCost("cpu", 1, 9, 2, 20_000),
                        new LaneOutcome.StepCost("cpu", 8, 9, 3, 60_000));
    }
}
