package io.tailrace.e2e.simulation;

import static io.tailrace.e2e.simulation.BrokenInvariantException.broken;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.TokenIds;
import io.tailrace.schemas.UndecodableRecordException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/** What a caller has whole reaches topic generations though its worker is killed, and once unless its sending was broken off. */
final class ReportRules {
    private final Truth truth;
    private final Set<String> complete = new TreeSet<>();
    private final Set<String> arrived = new HashSet<>();
    private final Set<String> settled = new HashSet<>();
    /** What the sender would take for trouble of its own; null: nothing. */
    private BrokenInvariantException found;

    ReportRules(Truth truth) {
        this.truth = truth;
    }

    /** A caller hears that its answer is complete. */
    void complete(String requestId) {
        complete.add(requestId);
    }

    /** A kill takes what was in memory alone, since the disk was full. */
    void lost(Collection<String> requestIds) {
        complete.removeAll(requestIds);
    }

    /** They have arrived, and the worker knows. */
    void settled(Collection<String> requestIds) {
        settled.addAll(requestIds);
    }

    void arrives(String requestId, String topic, byte[] value) {
        try {
            checkArrival(requestId, topic, value);
        } catch (BrokenInvariantException e) {
            found = e;
        }
        arrived.add(requestId);
    }

    /** After each round of sending. */
    void check() {
        if (found != null) {
            throw found;
        }
    }

    private void checkArrival(String requestId, String topic, byte[] value) {
        if (settled.contains(requestId)) {
            throw broken("request %s is sent again, although its worker knew that it had arrived", requestId);
        }
        Generation generation = decode(requestId, value);
        int[] given =
                truth.answers().get(Integer.parseInt(requestId.substring(1))).tokens();
        boolean asGiven = generation.getRequestId().equals(requestId)
                && Arrays.equals(TokenIds.toArray(generation.getResponse()), given);
        if (!topic.equals("generations") || !asGiven) {
            throw broken("request %s arrives in topic %s as %s", requestId, topic, generation);
        }
    }

    private static Generation decode(String requestId, byte[] value) {
        try {
            return RecordCodec.GENERATION.decode(value);
        } catch (UndecodableRecordException e) {
            throw broken("request %s arrives, and cannot be decoded: %s", requestId, e.getMessage());
        }
    }

    /**
     * When all is well and has been for long.
     *
     * @param pending records that still wait
     */
    void checkAtRest(long pending) {
        Set<String> missing = new TreeSet<>(complete);
        missing.removeAll(arrived);
        if (!missing.isEmpty()) {
            throw broken("requests %s are complete, and their generations have not arrived", missing);
        }
        if (pending > 0) {
            throw broken("%d reports still wait at rest", pending);
        }
    }
}
