package io.tailrace.operators.indexing;

/**
 * A piece of a duplicate horizon as it is checkpointed.
 *
 * @param bucket number of the bucket it belongs to; rises
 * @param newestAt when its newest hash was added, epoch milliseconds
 * @param hashes two longs a request: high, low
 */
public record HashChunk(long bucket, long newestAt, long[] hashes) {}
