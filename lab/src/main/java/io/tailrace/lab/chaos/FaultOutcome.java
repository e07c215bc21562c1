package io.tailrace.lab.chaos;

import java.util.List;

/**
 * What became of a fault.
 *
 * @param kind what was broken
 * @param target where
 * @param beganSeconds after the run's begin
 * @param healedSeconds after the run's begin
 * @param recoveryMillis from its heal until what it struck worked again; {@link #NONE} where it did not in time, or it was left out
 * @param leftOut why it was not done; empty: it was
 * @param wrong what went wrong; empty: nothing
 */
record FaultOutcome(
        FaultKind kind,
        String target,
        double beganSeconds,
        double healedSeconds,
        long recoveryMillis,
        String leftOut,
        String wrong) {
    static final long NONE = -1;

    static FaultOutcome leftOut(FaultKind kind, String target, double atSeconds, String why) {
        return new FaultOutcome(kind, target, atSeconds, atSeconds, NONE, why, "");
    }

    /** @param missing what did not work again in time, in words */
    static FaultOutcome notRecovered(
            FaultKind kind,
            String target,
            double beganSeconds,
            double healedSeconds,
            String wrong,
            List<String> missing) {
        String all = wrong + (wrong.isEmpty() ? "" : "; ") + String.join(", ", missing) + " in time";
        return new FaultOutcome(kind, target, beganSeconds, healedSeconds, NONE, "", all);
    }

    boolean done() {
        return leftOut.isEmpty();
    }

    boolean recovered() {
        return recoveryMillis != NONE;
    }
}
