package io.tailrace.operators.indexing;

/**
 * What a shard reports to its lane: where it stands, and the segment it has just written, if any. The numbers of one report
 * belong together: admitted tokens = memtable + deleted + everything flushed up to and including this segment.
 *
 * @param memtableTokens tokens not yet in a segment
 * @param flushed null if only numbers changed
 */
public record ShardProgress(
        String lane, int shard, ShardCounters counters, long memtableTokens, FlushedSegment flushed) {}
