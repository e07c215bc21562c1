package io.tailrace.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Which reports pass, of runs that never were. */
class DoneFaultsTest {
    private static final long SEED = 7;
    private static final DoneFaults ABLE = new DoneFaults(true, true);
    private static final DoneFaults UNABLE = new DoneFaults(false, false);

    /** Every kind once, as it was drawn, but for what is changed. */
    private static JsonNode report(UnaryOperator<FaultOutcome> change) {
        List<FaultOutcome> faults = new ArrayList<>();
        for (PlannedFault planned : Schedule.draw(SEED, List.of(FaultKind.values()), FaultKind.values().length)
                .faults()) {
            faults.add(
                    change.apply(new FaultOutcome(planned.kind(), "it", 10, 10.01 + planned.seconds(), 500, "", "")));
        }
        return json(faults);
    }

    private static JsonNode json(List<FaultOutcome> faults) {
        return new ObjectMapper().valueToTree(new ChaosReport(SEED, 5, faults, Recoveries.of(faults), null));
    }

    private static FaultOutcome without(FaultOutcome fault, String kinds) {
        return fault.kind().name().startsWith(kinds)
                ? FaultOutcome.leftOut(fault.kind(), fault.target(), 10, "it cannot be done")
                : fault;
    }

    @Test
    void whatWasDoneAsItWasDrawnPasses() {
        JsonNode report = report(fault -> fault);
        assertThat(ABLE.wrong(report)).isEmpty();
        assertThat(DoneFaults.leftOut(report)).isEmpty();
    }

    @Test
    void whatIsLeftOutMustBeImpossibleHere() {
        JsonNode noDisks = report(fault -> without(fault, "FULL_"));
        assertThat(ABLE.wrong(noDisks))
                .hasSize(4)
                .contains("full-store was left out, which this machine can do: it cannot be done");
        assertThat(new DoneFaults(false, true).wrong(noDisks)).isEmpty();
        assertThat(DoneFaults.leftOut(noDisks)).hasSize(4).contains("full-store: it cannot be done");
        JsonNode noClocks = report(fault -> without(fault, "CLOCK_"));
        assertThat(ABLE.wrong(noClocks)).hasSize(6);
        assertThat(new DoneFaults(true, false).wrong(noClocks)).isEmpty();
        assertThat(UNABLE.wrong(report(fault -> without(fault, "KILL_BROKER"))))
                .contains("kill-broker was left out, which this machine can do: it cannot be done");
    }

    @Test
    void whatCannotBeDoneMustBeSaid() {
        assertThat(UNABLE.wrong(report(fault -> fault)))
                .hasSize(10)
                .contains("full-worker counts as done, which this machine cannot do");
    }

    @Test
    void anotherFaultThanTheSeedsAShortOneAndTooFewAreFound() {
        FaultOutcome broker = new FaultOutcome(FaultKind.KILL_BROKER, "broker", 1, 1, 500, "", "");
        assertThat(ABLE.wrong(json(List.of(broker))))
                .hasSize(2)
                .contains("1 faults in 5 minutes")
                .anyMatch(wrong -> wrong.endsWith(", there is kill-broker"));
        assertThat(ABLE.wrong(report(fault -> fault.kind() == FaultKind.PAUSE_WORKER
                        ? new FaultOutcome(fault.kind(), "w", 10, 11, 500, "", "")
                        : fault)))
                .singleElement()
                .asString()
                .startsWith("pause-worker lasted 1.0 s, the seed draws ");
    }
}
