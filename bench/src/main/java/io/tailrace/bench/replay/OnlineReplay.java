package io.tailrace.bench.replay;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.List;

/**
 * The online protocol: requests in order, each drafted and verified against the lane of all earlier responses and its own
 * context, then inserted. The second half of the requests is counted unless said otherwise. A request without a prompt starts with its first
 * response token as context.
 */
final class OnlineReplay {
    private final List<ReplayCase> cases;
    private final int countedFrom;

    OnlineReplay(List<ReplayCase> cases) {
        this(cases, cases.size() / 2);
    }

    /** Counts the requests from {@code countedFrom} on. */
    OnlineReplay(List<ReplayCase> cases, int countedFrom) {
        this.cases = List.copyOf(cases);
        this.countedFrom = countedFrom;
    }

    /** Replays with a drafter that has seen none of the requests. */
    ReplayResult run(Drafter drafter, int budget) {
        ReplayLane lane = new ReplayLane();
        ReplayResult counted = ReplayResult.none();
        for (int i = 0; i < cases.size(); i++) {
            ReplayCase request = cases.get(i);
            ReplayResult result = decode(drafter, request, lane.index(), budget);
            counted = i >= countedFrom ? counted.plus(result) : counted;
            lane.add(request.response());
        }
        return counted;
    }

    /** Decodes one request as a worker would; does not insert it. */
    static ReplayResult decode(Drafter drafter, ReplayCase request, LaneIndex lane, int budget) {
        int[] response = request.response();
        int at = begin(drafter, request);
        long steps = 0;
        long drafted = 0;
        long accepted = 0;
        int first = at;
        Durations durations = new Durations();
        int[] verified = new int[budget + 1];
        while (at < response.length) {
            long start = System.nanoTime();
            Draft draft = drafter.draft(lane, budget);
            durations.add(System.nanoTime() - start);
            int took = SimulatedVerifier.accepted(draft, response, at);
            int advance = Math.min(took + 1, response.length - at);
            System.arraycopy(response, at, verified, 0, advance);
            steps++;
            drafted += draft.size();
            accepted += took;
            drafter.verified(verified, advance);
            at += advance;
        }
        return new ReplayResult(steps, response.length - first, drafted, accepted, durations);
    }

    private static int begin(Drafter drafter, ReplayCase request) {
        boolean bare = request.prompt().length == 0;
        int[] context = bare ? request.response() : request.prompt();
        drafter.begin(context, bare ? 1 : context.length);
        return bare ? 1 : 0;
    }
}
