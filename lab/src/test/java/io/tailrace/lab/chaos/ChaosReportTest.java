package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosReportTest {
    @Test
    void whatWasLeftOutIsCountedBesideWhatWasDone() {
        List<FaultOutcome> faults = List.of(
                new FaultOutcome(FaultKind.KILL_BROKER, "broker", 1, 2, 500, "", ""),
                FaultOutcome.leftOut(FaultKind.FULL_STORE, "disk of store", 3, "no disk can be mounted"));
        Verdict verdict = new Verdict(1, 1, 0, 1, List.of(), true, List.of(), List.of(), List.of());
        StringWriter said = new StringWriter();
        new ChaosReport(7, 5, faults, Recoveries.of(faults), verdict).print(new PrintWriter(said));
        assertThat(said.toString())
                .contains("left out: no disk can be mounted")
                .contains("faults    1 done, 1 left out, since this machine cannot do them");
    }
}
