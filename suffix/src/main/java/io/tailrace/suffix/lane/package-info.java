/**
 * A lane as a drafter sees it: {@link io.tailrace.suffix.lane.LaneIndex}, the snapshot's segments and the worker's own
 * {@link io.tailrace.suffix.lane.FreshIndex}, swapped as one value.
 *
 * <pre>{@code
 * FreshIndex fresh = new FreshIndex(1 << 20);
 * fresh.add(answer, System.currentTimeMillis());
 * LaneIndex lane = new LaneIndex(List.of(older), newest, fresh);
 * }</pre>
 *
 * <p>Whoever swaps a lane also closes the segments nobody reads any more; this package does not.
 */
package io.tailrace.suffix.lane;
