package io.tailrace.lab.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The faults of one seed, in their order. Every kind comes once before any comes again, so that a run of many faults has most of them. The same
 * seed and kinds give the same schedule, on any machine: what a machine cannot do is left out when its turn comes.
 */
record Schedule(long seed, List<PlannedFault> faults) {
    private static final int GAP_SECONDS_MIN = 2;
    private static final int GAP_SECONDS_MAX = 6;

    Schedule {
        faults = List.copyOf(faults);
    }

    /** So many faults of these kinds. */
    static Schedule draw(long seed, Collection<FaultKind> kinds, int count) {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a schedule needs at least one kind of fault");
        }
        Random random = new Random(seed);
        List<PlannedFault> faults = new ArrayList<>();
        List<FaultKind> deck = new ArrayList<>();
        while (faults.size() < count) {
            if (deck.isEmpty()) {
                deck.addAll(kinds);
                Collections.sort(deck);
                Collections.shuffle(deck, random);
            }
            faults.add(plan(deck.remove(deck.size() - 1), random));
        }
        return new Schedule(seed, faults);
    }

    private static PlannedFault plan(FaultKind kind, Random random) {
        return new PlannedFault(
                kind,
                between(kind.secondsMin(), kind.secondsMax(), random),
                between(GAP_SECONDS_MIN, GAP_SECONDS_MAX, random),
                random.nextInt(Integer.MAX_VALUE));
    }

    private static int between(int min, int max, Random random) {
        return min + random.nextInt(max - min + 1);
    }
}
