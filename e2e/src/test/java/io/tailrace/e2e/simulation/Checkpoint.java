package io.tailrace.e2e.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a job can be restored from.
 *
 * @param states of its operators
 * @param places where each source goes on reading
 * @param transactions written and not known to be committed
 */
record Checkpoint(
        long id, Map<String, OperatorState> states, Places places, List<Transaction> transactions, Books books) {

    /** Offsets of the next records. */
    record Places(long generations, long control, long snapshots) {}

    /** The test's own account of what a state has taken in. */
    static final class Books {
        /** Generations that count once. */
        final TreeSet<Integer> admitted = new TreeSet<>();
        /** When each was complete, as admission has set it down: what is ahead of the job's clock counts as of its time. */
        final Map<Integer, Long> completedAt = new HashMap<>();
        /** Generations that a rollback has taken out of their lane. */
        final TreeSet<Integer> rolledBack = new TreeSet<>();
        /** When each delete was heard of. */
        final Map<String, Long> heardAt = new HashMap<>();
        /** Offset from which on records are accounted for; -1: none was read. */
        long firstRead = -1;

        long read;
        long lost;
        /** As admission has told it. */
        long passed;
        /** As the shards have told it. */
        long taken;
        /** Removed, and taken for transactions' markers. */
        long mistaken;

        Books copy() {
            Books copy = new Books();
            copy.admitted.addAll(admitted);
            copy.completedAt.putAll(completedAt);
            copy.rolledBack.addAll(rolledBack);
            copy.heardAt.putAll(heardAt);
            copy.firstRead = firstRead;
            copy.read = read;
            copy.lost = lost;
            copy.passed = passed;
            copy.taken = taken;
            copy.mistaken = mistaken;
            return copy;
        }
    }

    /** A copy for a job to go on with. */
    Map<String, OperatorState> copyOfStates() {
        Map<String, OperatorState> copies = new HashMap<>();
        states.forEach((name, state) -> copies.put(name, state.copy()));
        return copies;
    }
}
