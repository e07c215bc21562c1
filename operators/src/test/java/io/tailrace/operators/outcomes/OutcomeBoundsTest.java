package io.tailrace.operators.outcomes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.Lane;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.StepTime;
import java.time.Instant;
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
        Outcome outcome = Outcome.newBuilder()
                .setRequestId("r")
                .setLane(new Lane("toy", "1", "acme"))
                .setWorker("w")
                .setWorkerClass("x".repeat(200_000))
                .setStrategy("adaptive")
                .setSnapshotVersionFirst(0)
                .setSnapshotVersionLast(0)
                .setPromptTokens(1)
                .setResponseTokens(1)
                .setSteps(1)
                .setDrafted(0)
                .setAccepted(0)
                .setBySource(List.of())
                .setStepTimes(times)
                .setDraftMicros(0)
                .setStartedAt(Instant.EPOCH)
                .setCompletedAt(Instant.EPOCH)
                .build();
        byte[] record = RecordCodec.OUTCOME.encode(outcome);
        assertThat(record.length).isLessThan(1 << 18);
        assertThatThrownBy(() -> OutcomeDecoding.decode(RecordCodec.OUTCOME.decode(record)))
                .hasMessage("workerClass has 200000 characters, at most 200 are allowed");
    }
}
