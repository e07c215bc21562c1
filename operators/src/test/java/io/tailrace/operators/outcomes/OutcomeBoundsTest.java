package io.tailrace.operators.outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.Samples;
import io.tailrace.operators.state.StateCodec;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.StepTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statistics never grow with what a worker calls itself. */
final class OutcomeBoundsTest {
    /** A topic takes records of 8 MiB. */
    @Test
    void theCurvesOfAllClassesTogetherAreBounded() {
        CostState costs = new CostState();
        for (int workerClass = 0; workerClass < CostState.CLASSES_MAX; workerClass++) {
            List<LaneOutcome.StepCost> steps = new ArrayList<>();
            for (int batch = 1; batch <= 4_096; batch = batch < 8 ? batch + 1 : 2 * batch) {
                for (int tokens = batch; tokens < 1 << 15; tokens += Math.max(1, Integer.highestOneBit(tokens) >> 3)) {
                    steps.add(new LaneOutcome.StepCost("class-" + workerClass, batch, tokens, 10, 1_000));
                }
            }
            costs.add(new RequestOutcome("toy@1/acme", "w", workerClass, null, steps, null), 1_000);
        }
        List<LaneOutcome.StepCost> points = costs.fitted();
        assertThat(points)
                .hasSizeBetween(CostState.POINTS_MAX / 4, CostState.POINTS_MAX)
                .doesNotHaveDuplicates();
        assertThat(points.stream().map(LaneOutcome.StepCost::workerClass).distinct())
                .hasSize(CostState.CLASSES_MAX);
    }

    /** It is in every checkpoint, and copied after each. */
    @Test
    void theStateOfALaneIsBoundedWhateverItsWorkersSay() {
        CostState costs = new CostState();
        for (int workerClass = 0; workerClass < CostState.CLASSES_MAX; workerClass++) {
            for (int worker = 0; worker < CostState.WORKERS_MAX; worker++) {
                List<LaneOutcome.StepCost> steps = new ArrayList<>();
                for (int batch = 1; batch <= 4_096; batch = batch < 8 ? batch + 1 : 2 * batch) {
                    for (int tokens = batch; tokens < 1 << 15; tokens += 1 + Integer.highestOneBit(tokens) / 8) {
                        for (int bucket = 0; bucket < 64; bucket++) {
                            steps.add(new LaneOutcome.StepCost(
                                    "class-" + workerClass,
                                    batch,
                                    tokens,
                                    1,
                                    Math.round(1_000 * Math.pow(2, bucket / 16.0))));
                        }
                    }
                }
                costs.add(new RequestOutcome("toy@1/acme", "w" + worker, worker, null, steps, null), 1_000);
            }
        }
        byte[] state = new StateCodec<>(CostState.class, "Costs").encode(costs);
        assertThat(state).hasSizeBetween(1 << 20, 8 << 20);
        assertThat(costs.kept).hasSize(CostState.CLASSES_MAX);
        assertThat(costs.kept.values())
                .allSatisfy(ofClass -> assertThat(ofClass.workers.values())
                        .hasSize(CostState.WORKERS_MAX)
                        .allSatisfy(worker ->
                                assertThat(worker.histograms).hasSizeGreaterThanOrEqualTo(CostState.SHAPES_SURE)));
    }

    @Test
    void countsThatCannotBeAreRefused() {
        for (Outcome.Builder outcome : List.of(
                Samples.outcome().setSteps(Integer.MIN_VALUE),
                Samples.outcome().setResponseTokens(-1),
                Samples.outcome().setAccepted(-1),
                Samples.outcome().setDrafted(3).setAccepted(4))) {
            assertThatThrownBy(() -> OutcomeDecoding.decode(outcome.build()))
                    .hasMessageStartingWith("counts are 0 or more and no more tokens are accepted than drafted, got ");
        }
    }

    @Test
    void aLogLossThatIsNoneIsRefused() throws Exception {
        for (double nats : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1.7e308, -1.7e308, 1_001}) {
            Outcome outcome =
                    Samples.outcome().setPredictions(10L).setLogLoss(nats).build();
            assertThatThrownBy(() -> OutcomeDecoding.decode(outcome))
                    .as("%s", nats)
                    .hasMessageStartingWith("logLoss of 10 predictions is 0 to 1000 nats, got ");
        }
        OutcomeDecoding.decode(
                Samples.outcome().setPredictions(10L).setLogLoss(1_000.0).build());
    }

    /** Each point of the curve in a manifest repeats the class's name. */
    @Test
    void anOutcomeWithALongWorkerClassIsRefused() throws Exception {
        List<StepTime> times = new ArrayList<>();
        for (int tokens = 1; tokens <= 60; tokens++) {
            times.add(new StepTime(1, tokens, 10, 1_000L));
        }
        Outcome outcome = Samples.outcome()
                .setWorkerClass("x".repeat(200_000))
                .setStepTimes(times)
                .build();
        byte[] record = RecordCodec.OUTCOME.encode(outcome);
        assertThat(record.length).isLessThan(1 << 18);
        assertThatThrownBy(() -> OutcomeDecoding.decode(RecordCodec.OUTCOME.decode(record)))
                .hasMessage("workerClass has 200000 characters, at most 200 are allowed");
    }
}
