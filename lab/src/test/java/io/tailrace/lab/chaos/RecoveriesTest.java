package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecoveriesTest {
    private static FaultOutcome after(long millis) {
        return new FaultOutcome(FaultKind.KILL_BROKER, "broker", 1, 2, millis, "", "");
    }

    @Test
    void ranksAreTheNearest() {
        List<FaultOutcome> hundred =
                LongStream.rangeClosed(1, 100).mapToObj(RecoveriesTest::after).toList();
        assertThat(Recoveries.of(hundred)).isEqualTo(new Recoveries(100, 50, 99, 100));
    }

    @Test
    void ofFewTheSlowestIsTheNinetyNinthOfAHundred() {
        assertThat(Recoveries.of(List.of(after(3), after(1), after(2)))).isEqualTo(new Recoveries(3, 2, 3, 3));
    }

    @Test
    void whatWasLeftOutOrNeverRecoveredCountsInNone() {
        List<FaultOutcome> outcomes = List.of(
                FaultOutcome.leftOut(FaultKind.FULL_STORE, "store", 1, "no disk"), after(FaultOutcome.NONE), after(5));
        assertThat(Recoveries.of(outcomes)).isEqualTo(new Recoveries(1, 5, 5, 5));
        assertThat(Recoveries.of(List.of())).isEqualTo(new Recoveries(0, 0, 0, 0));
    }
}
