package io.tailrace.cli.fleet;

/** A part of a whole. */
public final class Ratio {
    private Ratio() {}

    /** Null: there is no whole. */
    public static Double of(long part, long whole) {
        return whole == 0 ? null : (double) part / whole;
    }
}
