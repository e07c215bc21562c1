package io.tailrace.lab.bench.leak;

/**
 * What a caller saw of one answer.
 *
 * @param tokens by the usage that every caller may ask for
 * @param events streamed events with text; 1 for a whole answer
 * @param lastNanos from sending the call to the last event with text, or the whole answer
 * @param gapNanos between events with text, on average; 0 with fewer than two
 * @param accepted by the report; 0 where there is none
 * @param steps by the report; 0 where there is none
 */
record Observation(int tokens, int events, long lastNanos, double gapNanos, int accepted, int steps) {}
