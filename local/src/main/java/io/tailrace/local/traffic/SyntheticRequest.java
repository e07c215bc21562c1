package io.tailrace.local.traffic;

/** A request that never happened and the answer that a model would have given. */
public record SyntheticRequest(String id, String scope, String workload, int[] prompt, int[] response) {}
