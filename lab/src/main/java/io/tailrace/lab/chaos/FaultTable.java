package io.tailrace.lab.chaos;

import io.tailrace.terminal.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Faults as people read them. */
final class FaultTable {
    private FaultTable() {}

    /** What is planned. */
    static void print(Schedule schedule, PrintWriter out) {
        Table table = new Table("fault", "lasts s", "after s", "draw");
        for (PlannedFault fault : schedule.faults()) {
            table.row(fault.kind().word(), fault.seconds(), fault.gapSeconds(), Integer.toString(fault.draw()));
        }
        table.print(out);
    }

    /** What became of it. */
    static void print(List<FaultOutcome> outcomes, PrintWriter out) {
        Table table = new Table("fault", "of", "began s", "healed s", "recovery s", "");
        for (FaultOutcome outcome : outcomes) {
            table.row(
                    outcome.kind().word(),
                    outcome.target(),
                    outcome.beganSeconds(),
                    outcome.healedSeconds(),
                    outcome.recovered() ? (Double) (outcome.recoveryMillis() / 1e3) : null,
                    remark(outcome));
        }
        table.print(out);
    }

    static String line(FaultOutcome outcome) {
        return String.format(
                Locale.ROOT,
                "%s of %s, %.1f s to %.1f s, recovery %s %s",
                outcome.kind().word(),
                outcome.target(),
                outcome.beganSeconds(),
                outcome.healedSeconds(),
                outcome.recovered() ? outcome.recoveryMillis() + " ms" : "none",
                remark(outcome));
    }

    private static String remark(FaultOutcome outcome) {
        return outcome.done() ? outcome.wrong() : "left out: " + outcome.leftOut();
    }
}
