package io.tailrace.operators.timers;

import java.util.List;

/**
 * A keyed function some of whose keys have no timer for long, although a broadcast may give them work. Flink lets a function
 * set no timer while it hears a broadcast, so {@link KeyedBroadcast} sets one right after, for the next millisecond.
 *
 * @param <K> its key
 */
@FunctionalInterface
public interface WokenByBroadcast<K> {
    /** The keys that the broadcast just heard gives work; none is given twice. */
    List<K> takeWoken();
}
