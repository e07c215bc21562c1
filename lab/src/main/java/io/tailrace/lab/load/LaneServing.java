package io.tailrace.lab.load;

import io.tailrace.client.draft.DrafterSource;
import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.suffix.draft.Drafter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * One lane's serving side: its snapshots, and its decoders with what they have learned. A decoder serves one request at a
 * time; there are as many as requests were ever served at once. Safe for any number of threads.
 */
final class LaneServing {
    private final FollowedLane lane;
    private final Supplier<Slot> newSlot;
    private final Deque<Slot> idle = new ArrayDeque<>();
    private ServedTotals totals = ServedTotals.NONE;

    /** What serves one request at a time. */
    record Slot(RequestDecoder decoder, DrafterSource shared, DrafterSource ownContext) {}

    LaneServing(FollowedLane lane, Supplier<Slot> newSlot) {
        this.lane = lane;
        this.newSlot = newSlot;
    }

    FollowedLane lane() {
        return lane;
    }

    synchronized Slot take() {
        return idle.isEmpty() ? newSlot.get() : idle.pop();
    }

    /** A slot whose request failed is not given back. */
    synchronized void giveBack(Slot slot) {
        idle.push(slot);
    }

    synchronized void served(ServedRequest served) {
        totals = totals.plus(served);
    }

    synchronized ServedTotals totals() {
        return totals;
    }

    /** Decodes a request; its output must be what was recorded. */
    DecodeResult decode(Slot slot, RecordedRequest request, Verifier<RecordedRequest> verifier, Sources sources) {
        DrafterSource source = sources == Sources.SHARED ? slot.shared() : slot.ownContext();
        try (VerifierSession session = verifier.begin(request)) {
            DecodeResult decoded =
                    slot.decoder().decode(request.prompt(), session, drafter(source), lane.live(), sources);
            checkOutput(request, decoded.output());
            return decoded;
        }
    }

    private Drafter drafter(DrafterSource source) {
        LoadedSnapshot snapshot = lane.live().lease();
        try {
            return source.under(snapshot.policy(), snapshot.learnedAtMillis(), snapshot.driftAlarm());
        } finally {
            snapshot.release();
        }
    }

    private static void checkOutput(RecordedRequest request, int[] output) {
        int at = Arrays.mismatch(output, request.response());
        if (at >= 0) {
            throw new IllegalStateException(
                    "request %s (%s): output differs from the recorded answer at token %d of %d; this is a bug of the decoder"
                            .formatted(request.id(), request.position(), at, request.response().length));
        }
    }
}
