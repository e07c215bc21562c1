package io.tailrace.operators.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.schemas.Epochs;
import org.apache.flink.streaming.api.operators.StreamFilter;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the harness may be interrupted while it closes; then the test fails, as it should
final class EpochFilterTest {
    /** All that the job itself tells would be void beside it. */
    @Test
    void whatNoJobSoFarHasToldIsLeftOut() throws Exception {
        try (var harness = new OneInputStreamOperatorTestHarness<>(new StreamFilter<>(new EpochFilter(job -> 3)))) {
            harness.open();
            for (long epoch : new long[] {0, 2, 3, 4, Epochs.MAX}) {
                harness.processElement(new LaneSignal(LaneSignal.Kind.SNAPSHOT, Samples.LANE, 7, 7, epoch, null), 0);
            }
            assertThat(harness.extractOutputValues())
                    .extracting(LaneSignal::epoch)
                    .containsExactly(0L, 2L, 3L);
        }
    }
}
