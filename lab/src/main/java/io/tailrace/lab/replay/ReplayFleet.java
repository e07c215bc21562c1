package io.tailrace.lab.replay;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Workers and their lanes during one replay: who drafts a request, from what, and when its response can be drafted from.
 * Lanes are kept apart by scope and, in silos, by worker; drafters by scope and worker.
 */
final class ReplayFleet {
    private final ReplayProtocol protocol;
    private final Supplier<Drafter> drafters;
    private final Map<Place, Drafter> drafterOf = new HashMap<>();
    private final Map<Place, Shelf> shelfOf = new HashMap<>();
    private long finished;

    private record Place(String scope, int worker) {}

    /** A response on its way into the index. */
    private record Waiting(RememberedAnswer answer, long finishedAt) {}

    ReplayFleet(ReplayProtocol protocol, Supplier<Drafter> drafters) {
        this.protocol = protocol;
        this.drafters = drafters;
    }

    /** Who drafts the request that is the stream's {@code number}-th. */
    Drafter drafter(ReplayCase request, int number) {
        return drafterOf.computeIfAbsent(new Place(request.scope(), worker(number)), place -> drafters.get());
    }

    /** What that worker drafts from now. */
    LaneIndex index(ReplayCase request, int number) {
        return protocol.sources() == ReplayProtocol.Sources.OWN
                ? LaneIndex.EMPTY
                : shelf(request, number).index(worker(number));
    }

    /** The request is answered. */
    void finish(ReplayCase request, int number) {
        finished++;
        shelf(request, number).finish(request.answer(protocol.promptTail()), worker(number));
        shelfOf.values().forEach(Shelf::release);
    }

    private int worker(int number) {
        return number % protocol.workers();
    }

    private Shelf shelf(ReplayCase request, int number) {
        boolean silo = protocol.sharing() == ReplayProtocol.Sharing.SILO;
        return shelfOf.computeIfAbsent(new Place(request.scope(), silo ? worker(number) : -1), place -> new Shelf());
    }

    /** One lane with what waits to be taken into it. */
    private final class Shelf {
        private final ReplayLane lane = new ReplayLane(protocol.warm());
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        private final List<RememberedAnswer> batch = new ArrayList<>();
        /** Each worker's responses that the lane does not hold yet. */
        private final Map<Integer, FreshIndex> ownOf = new HashMap<>();

        private final boolean immediate = protocol.flush() == 1 && protocol.lag() == 0;
        private final boolean ownAtOnce = protocol.workers() > 1 && protocol.sharing() == ReplayProtocol.Sharing.SHARED;
        private long batchFinishedAt;

        LaneIndex index(int worker) {
            return immediate ? lane.index() : lane.index(ownOf.get(worker));
        }

        void finish(RememberedAnswer answer, int worker) {
            if (immediate) {
                lane.add(answer);
                return;
            }
            waiting.add(new Waiting(answer, finished));
            if (ownAtOnce) {
                ownOf.computeIfAbsent(worker, w -> new FreshIndex(Integer.MAX_VALUE))
                        .add(answer, finished);
            }
        }

        /** Takes in what is due: lagged long enough, and enough of it. */
        void release() {
            while (!waiting.isEmpty() && waiting.peek().finishedAt() + protocol.lag() <= finished) {
                Waiting due = waiting.remove();
                batch.add(due.answer());
                batchFinishedAt = due.finishedAt();
            }
            if (batch.size() >= protocol.flush()) {
                lane.announce(batch);
                batch.clear();
                ownOf.values().forEach(own -> own.dropCompletedUntil(batchFinishedAt));
            }
        }
    }
}
