package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PromisesTest {
    private static final long MILLIS_MAX = 30_000;
    private static final FaultOutcome LEFT_OUT =
            FaultOutcome.leftOut(FaultKind.FULL_STORE, "disk of store", 1, "no disk can be mounted");

    private static FaultOutcome recovered(long millis) {
        return new FaultOutcome(FaultKind.KILL_BROKER, "broker", 1, 2, millis, "", "");
    }

    private static List<String> faults(FaultOutcome... outcomes) {
        Promises promises = new Promises();
        promises.faults(List.of(outcomes), MILLIS_MAX);
        return promises.broken();
    }

    private static List<String> answers(Observation before, Observation end) {
        Promises promises = new Promises();
        promises.answers(before, end);
        return promises.broken();
    }

    private static Observation told(long one, long other) {
        return new Observation(Map.of(), Map.of(), Map.of("worker-1", one, "worker-2", other));
    }

    @Test
    void aRunWithoutAFaultShowsNothing() {
        assertThat(faults()).containsExactly("not a single fault was done, 0 were left out: nothing was tried");
        assertThat(faults(LEFT_OUT, LEFT_OUT))
                .containsExactly("not a single fault was done, 2 were left out: nothing was tried");
        assertThat(faults(LEFT_OUT, recovered(5))).isEmpty();
    }

    @Test
    void whatDidNotRecoverIsSaidWithWhatIsMissing() {
        FaultOutcome wedged = FaultOutcome.notRecovered(
                FaultKind.PAUSE_WORKER, "worker-1", 1, 2, "", List.of("worker-1 tells no answer"));
        assertThat(faults(wedged))
                .containsExactly(
                        "pause-worker of worker-1, 1.0 s to 2.0 s, recovery none worker-1 tells no answer in time");
    }

    @Test
    void recoveriesMayNotTakeLonger() {
        assertThat(faults(recovered(MILLIS_MAX))).isEmpty();
        assertThat(faults(recovered(MILLIS_MAX + 1)))
                .containsExactly("recovery p99 30,001 ms, at most 30,000 are allowed");
    }

    @Test
    void aWorkerThatStopsAnsweringIsFound() {
        assertThat(answers(told(10, 10), told(20, 10)))
                .containsExactly("worker-2 has told no answer after the last fault");
        assertThat(answers(told(10, 10), told(20, 20))).isEmpty();
    }

    @Test
    void aWorkerThatNeverAnswersIsFound() {
        assertThat(answers(told(0, 10), told(0, 20)))
                .containsExactly(
                        "worker-1 has told no answer in the whole run",
                        "worker-1 has told no answer after the last fault");
    }
}
