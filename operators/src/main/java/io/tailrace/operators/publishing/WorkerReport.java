package io.tailrace.operators.publishing;

/**
 * What a worker says it serves the lane with.
 *
 * @param lane as text
 * @param version 0: none
 * @param at when it said so, epoch milliseconds
 */
public record WorkerReport(String lane, String worker, long version, long at) {
    /** A worker that has said nothing for so long is gone: it reports every five seconds. */
    public static final long SILENT_MILLIS_MAX = 60_000;
}
