package io.tailrace.lab.load;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.AdaptiveMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * One lane's serving side: its snapshots, and its decoders with what they have learned. A decoder serves one request at a
 * time; there are as many as requests were ever served at once. Safe for any number of threads.
 */
final class LaneServing {
    private final ServedLane lane;
    private final Supplier<RequestDecoder> newDecoder;
    private final Deque<Slot> idle = new ArrayDeque<>();
    private ServedTotals totals = ServedTotals.NONE;

    /** What serves one request at a time. */
    record Slot(RequestDecoder decoder, DraftSource shared, OwnContext ownContext) {}

    LaneServing(ServedLane lane, Supplier<RequestDecoder> newDecoder) {
        this.lane = lane;
        this.newDecoder = newDecoder;
    }

    ServedLane lane() {
        return lane;
    }

    synchronized Slot take() {
        return idle.isEmpty() ? newSlot() : idle.pop();
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
    DecodeResult decode(
            Slot slot, RecordedRequest request, RecordedVerifier.StepTime stepTime, RequestDecoder.Sources sources) {
        boolean own = sources == RequestDecoder.Sources.OWN_CONTEXT;
        DraftSource drafts = own ? slot.ownContext().drafts() : slot.shared();
        LiveSnapshot live = own ? slot.ownContext().under(lane.live()) : lane.live();
        RecordedVerifier verifier = new RecordedVerifier(stepTime, request.response());
        DecodeResult decoded = slot.decoder().decode(request.prompt(), verifier, drafts, live, sources);
        checkOutput(request, decoded.output());
        return decoded;
    }

    private Slot newSlot() {
        LaneMakers makers = new LaneMakers(1, () -> new AdaptiveMaker(true));
        return new Slot(newDecoder.get(), new LaneDrafts("adaptive", scope -> lane.live(), makers), new OwnContext());
    }

    private static void checkOutput(RecordedRequest request, int[] output) {
        int at = Arrays.mismatch(output, request.response());
        if (at >= 0) {
            throw new IllegalStateException(
                    "request %s (%s): output differs from the recorded answer at token %d of %d; this is a bug of the decoder"
                            .formatted(request.id(), request.position(), at, request.response().length));
        }
    }

    /** Drafts of a lane's requests from their own contexts alone, under the lane's policy but for its weights: those were learned with more. */
    static final class OwnContext {
        private final LiveSnapshot live =
                new LiveSnapshot(new LoadedSnapshot(0, DraftPolicy.unannounced(), LaneIndex.EMPTY, () -> {}));
        private final DraftSource drafts =
                new LaneDrafts("adaptive", scope -> live, new LaneMakers(1, () -> new AdaptiveMaker(false)));

        DraftSource drafts() {
            return drafts;
        }

        /** What the lane has now, without anything to draft from. */
        LiveSnapshot under(LiveSnapshot shared) {
            LoadedSnapshot snapshot = shared.lease();
            try {
                live.swap(snapshot.withoutIndex());
            } finally {
                snapshot.release();
            }
            return live;
        }
    }
}
