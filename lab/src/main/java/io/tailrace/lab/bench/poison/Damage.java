package io.tailrace.lab.bench.poison;

import io.tailrace.lab.bench.poison.PoisonedReplay.Served;

/**
 * What a flood cost honest requests, against the same ones without it.
 *
 * @param lostDuring share of the accepted tokens a step that was lost while it ran; below 0: won
 * @param lostAfter the same of all requests behind it
 * @param recoveredAfter requests behind its end until {@value #WINDOW} together have 95 % again; {@link #NEVER}: not in the recording
 */
record Damage(double lostDuring, double lostAfter, int recoveredAfter) {
    /** Requests that are looked at together. */
    static final int WINDOW = 20;

    static final int NEVER = -1;

    private static final double RECOVERED = 0.95;

    /** Compares two runs of the same requests, of which the flood had those from one to another. */
    static Damage of(Served clean, Served poisoned, int floodFrom, int floodTo) {
        int end = clean.steps().length;
        return new Damage(
                lost(clean, poisoned, floodFrom, floodTo),
                lost(clean, poisoned, floodTo, end),
                recovered(clean, poisoned, floodTo, end));
    }

    private static int recovered(Served clean, Served poisoned, int floodTo, int end) {
        for (int from = floodTo; from + WINDOW <= end; from++) {
            double whole = clean.acceptedPerStep(from, from + WINDOW);
            if (poisoned.acceptedPerStep(from, from + WINDOW) >= RECOVERED * whole) {
                return from - floodTo;
            }
        }
        return NEVER;
    }

    private static double lost(Served clean, Served poisoned, int from, int to) {
        double whole = clean.acceptedPerStep(from, to);
        return whole == 0 ? 0 : 1 - poisoned.acceptedPerStep(from, to) / whole;
    }
}
