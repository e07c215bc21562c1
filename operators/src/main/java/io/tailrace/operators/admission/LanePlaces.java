package io.tailrace.operators.admission;

import java.util.HashSet;
import java.util.Set;

/**
 * The places that the job has for lanes. A lane that has one keeps it for good, as its state is kept. One that was announced has one
 * whether any was free or not: a limit that was set lower, or a savepoint from before there was one, stops no lane.
 */
final class LanePlaces {
    private final int lanesMax;
    private final Set<String> lanes = new HashSet<>();

    LanePlaces(int lanesMax, Iterable<String> held) {
        this.lanesMax = lanesMax;
        held.forEach(lanes::add);
    }

    boolean holds(String lane) {
        return lanes.contains(lane);
    }

    /** True if another lane may come. */
    boolean isFree() {
        return lanes.size() < lanesMax;
    }

    void give(String lane) {
        lanes.add(lane);
    }

    int size() {
        return lanes.size();
    }
}
