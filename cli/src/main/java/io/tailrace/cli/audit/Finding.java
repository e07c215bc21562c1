package io.tailrace.cli.audit;

/**
 * What one check found.
 *
 * @param lane as text; empty: of the whole installation
 * @param check what was looked at
 * @param result how it stands
 * @param detail the figures
 */
public record Finding(String lane, String check, Result result, String detail) {
    /** How something stands. */
    public enum Result {
        OK,
        /** The books close, and something is gone that nothing brings back. */
        LOST,
        /** What is needed to judge is not there. */
        UNKNOWN,
        FAILED
    }

    static Finding of(String lane, String check, boolean ok, String detail) {
        return new Finding(lane, check, ok ? Result.OK : Result.FAILED, detail);
    }
}
