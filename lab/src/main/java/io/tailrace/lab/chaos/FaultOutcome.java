package io.tailrace.lab.chaos;

/**
 * What became of a fault.
 *
 * @param kind what was broken
 * @param target where
 * @param beganSeconds after the run's begin
 * @param healedSeconds after the run's begin
 * @param recoveryMillis from its heal to the first newer version; {@link #NONE} where there was none in time, or it was left out
 * @param leftOut why it was not done; empty: it was
 * @param wrong what went wrong beside that; empty: nothing
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

    boolean done() {
        return leftOut.isEmpty();
    }

    boolean recovered() {
        return recoveryMillis != NONE;
    }
}
