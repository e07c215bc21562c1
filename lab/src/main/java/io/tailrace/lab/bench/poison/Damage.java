package io.tailrace.lab.bench.poison;

import io.tailrace.lab.bench.poison.PoisonedReplay.Served;

/**
 * What a flood cost honest requests, against the same ones without it.
 *
 * @param lostDuring share of the accepted tokens a step that was lost while it ran; below 0: won
 * @param lostAfter the same of all requests behind it
 * @param recoveredAfter requests behind its end from which on any {@value #WINDOW} in a row together have 95 % again; null: not in the recording
 */
record Damage(double lostDuring, double lostAfter, Integer recoveredAfter) {
    /** Requests that are looked at together. */
    static final int WINDOW = 20;

    private static final double RECOVERED = 0.95;

    /** Compares two runs of the same requests, of which the flood had those from one to another. */
    static Damage of(Served clean, Served poisoned, int floodFrom, int floodTo) {
        int end = clean.steps().length;
        return new Damage(
                lost(clean, poisoned, floodFrom, floodTo),
                lost(clean, poisoned, floodTo, end),
                recovered(clean, poisoned, floodTo, end));
    }

    /** One window that is well again may be luck, so the last one that is not decides. */
    private static Integer recovered(Served clean, Served poisoned, int floodTo, int end) {
        Integer recovered = null;
        for (int from = end - WINDOW; from >= floodTo; from--) {
            double whole = clean.acceptedPerStep(from, from + WINDOW);
            if (poisoned.acceptedPerStep(from, from + WINDOW) < RECOVERED * whole) {
                break;
            }
            recovered = from - floodTo;
        }
        return recovered;
    }

    private static double lost(Served clean, Served poisoned, int from, int to) {
        double whole = clean.acceptedPerStep(from, to);
        return whole == 0 ? 0 : 1 - poisoned.acceptedPerStep(from, to) / whole;
    }
}
