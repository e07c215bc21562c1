package io.tailrace.lab.bench.serve;

/**
 * One request of a bench.
 *
 * @param tokens token ids, begin token included
 * @param seed of its sampling
 */
public record BenchPrompt(int[] tokens, long seed) {}
