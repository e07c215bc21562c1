package io.tailrace.operators.indexing;

import io.tailrace.operators.store.StoredSegment;
import java.util.Map;

/**
 * A durable level-0 segment and what it holds.
 *
 * @param segment where it lies
 * @param completionTimes of its generations, epoch milliseconds
 * @param offsets newest offset it holds of each partition of topic generations
 */
public record FlushedSegment(StoredSegment segment, long[] completionTimes, Map<Integer, Long> offsets) {}
