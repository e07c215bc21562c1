package io.tailrace.operators.publishing;

import io.tailrace.operators.indexing.ShardCounters;

/** A shard's numbers as it last reported them. */
public record ShardStanding(ShardCounters counters, long memtableTokens) {}
