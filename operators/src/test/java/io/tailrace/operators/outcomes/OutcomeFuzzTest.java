package io.tailrace.operators.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.operators.FuzzedRecords;
import io.tailrace.operators.Samples;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.StepTime;
import io.tailrace.schemas.UndecodableRecordException;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.learn.DriftDetector;
import io.tailrace.testkit.AllocationLimit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Topic outcomes, and what is summed and fitted of them. */
final class OutcomeFuzzTest {
    private static final FuzzedRecords OUTCOMES = FuzzedRecords.of(
            RecordCodec.OUTCOME,
            List.of(outcome(List.of()), outcome(List.of(new StepTime(1, 9, 3, 20_000L))), outcome(steps())));

    private static List<StepTime> steps() {
        return Stream.iterate(1, tokens -> tokens + 5)
                .limit(12)
                .map(tokens -> new StepTime(1 + tokens % 7, 7 + tokens, 4, 900L * tokens))
                .toList();
    }

    private static Outcome outcome(List<StepTime> times) {
        return Samples.outcome()
                .setStepTimes(times)
                .setLogLoss(1.5)
                .setPredictions(3)
                .setFinish(Finish.STOP)
                .build();
    }

    static Stream<byte[]> seeds() {
        return OUTCOMES.seeds();
    }

    @MethodSource("seeds")
    @FuzzTest
    void anOutcomeIsCountedOrRefused(byte[] body) throws Exception {
        byte[] record = OUTCOMES.raw(body).bytes();
        RequestOutcome decoded;
        Outcome outcome;
        try {
            outcome = AllocationLimit.check(record.length, () -> RecordCodec.OUTCOME.decode(record));
            decoded = OutcomeDecoding.decode(outcome);
        } catch (UndecodableRecordException | IllegalArgumentException refused) {
            return;
        }
        LaneOutcome.Totals totals = LaneOutcome.Totals.ZERO.plus(decoded.totals());
        totals.toStatistics();
        assertThat(totals.acceptedPerStep()).isNotNaN();
        assertThat(totals.acceptanceRate()).isNotNaN();
        CostState costs = new CostState();
        costs.add(decoded, 0);
        for (LaneOutcome.StepCost cost : costs.fitted()) {
            assertThat(CostCurve.isPoint(cost.batch(), cost.verifiedTokens(), cost.micros()))
                    .as(cost.toString())
                    .isTrue();
        }
        DriftDetector detector = new DriftDetector(new DriftDetector.State(), 1_000_000);
        for (int i = 0; i < 3; i++) {
            detector.onLogLoss(outcome.getLogLoss(), outcome.getPredictions(), 1);
        }
        assertThat(detector.logEvidence()).isNotNaN();
    }
}
