package io.tailrace.operators.publishing;

/**
 * What a worker says it serves the lane with.
 *
 * @param lane as text
 * @param version 0: none
 * @param at when it said so, epoch milliseconds
 */
public record WorkerReport(String lane, String worker, long version, long at) {}
