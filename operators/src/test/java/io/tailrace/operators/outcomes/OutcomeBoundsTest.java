package io.tailrace.operators.outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.Samples;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.StepTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statistics never grow with what a worker calls itself. */
final class OutcomeBoundsTest {
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
