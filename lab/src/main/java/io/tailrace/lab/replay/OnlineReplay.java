package io.tailrace.lab.replay;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The online protocol: requests in order, each drafted and verified against what its lane holds by then and its own context,
 * then inserted. A request without a prompt starts with its first response token as context. The same calls give the same
 * figures on every machine, times aside.
 */
public final class OnlineReplay {
    private final ReplayStream stream;
    private final ReplayProtocol protocol;

    public OnlineReplay(ReplayStream stream, ReplayProtocol protocol) {
        this.stream = stream;
        this.protocol = protocol;
    }

    /**
     * Replays all of the stream.
     *
     * @param drafters makes drafters that have seen none of the requests
     * @param progress told the response tokens of each finished request
     */
    public ReplayResult run(Supplier<Drafter> drafters, int budget, LongConsumer progress) {
        ReplayFleet fleet = new ReplayFleet(protocol, drafters);
        Map<String, ReplayTally> firsts = new TreeMap<>();
        Map<String, ReplayTally> all = new TreeMap<>();
        int count = stream.cases().size();
        int countedFrom = protocol.counting().from(count);
        int[] steps = new int[count];
        int[] tokens = new int[count];
        for (int i = 0; i < count; i++) {
            ReplayCase request = stream.cases().get(i);
            ReplayTally tally = decode(fleet.drafter(request, i), request, fleet.index(request, i), budget);
            steps[i] = (int) tally.steps();
            tokens[i] = (int) tally.tokens();
            if (i >= countedFrom) {
                tallyOf(all, request).add(tally);
                if (!request.repeat()) {
                    tallyOf(firsts, request).add(tally);
                }
            }
            fleet.finish(request, i);
            progress.accept(request.response().length);
        }
        return new ReplayResult(all, firsts, steps, tokens);
    }

    private static ReplayTally tallyOf(Map<String, ReplayTally> tallies, ReplayCase request) {
        return tallies.computeIfAbsent(request.workload(), workload -> new ReplayTally());
    }

    /** Decodes one request as a worker would; does not insert it. */
    public static ReplayTally decode(Drafter drafter, ReplayCase request, LaneIndex lane, int budget) {
        ReplayTally tally = new ReplayTally();
        tally.addRequest();
        int[] response = request.response();
        int[] verified = new int[budget + 1];
        DraftAudit audit = new DraftAudit();
        for (int at = begin(drafter, request); at < response.length; ) {
            long start = System.nanoTime();
            Draft draft = drafter.draft(lane, budget);
            long nanos = System.nanoTime() - start;
            int took = audit.verify(draft, response, at, tally);
            int advance = Math.min(took + 1, response.length - at);
            System.arraycopy(response, at, verified, 0, advance);
            tally.addStep(draft.size(), took, advance, nanos);
            drafter.verified(verified, advance);
            at += advance;
        }
        return tally;
    }

    private static int begin(Drafter drafter, ReplayCase request) {
        boolean bare = request.prompt().length == 0;
        int[] context = bare ? request.response() : request.prompt();
        drafter.begin(context, bare ? 1 : context.length);
        return bare ? 1 : 0;
    }

    /**
     * Verifies drafts as {@link io.tailrace.suffix.draft.AcceptedPath} does and notes, for every node, how likely it was said to be and whether it was
     * right. Nodes behind the response's end are left out: what the model would have said there is not known.
     */
    static final class DraftAudit {
        private static final int WRONG = -1;
        /** Tokens of the truth that the path to each node holds, {@link #WRONG} if it left the truth. */
        private final int[] right = new int[DraftPolicy.BUDGET_MAX];

        /** Returns how many draft tokens agree with {@code truth[at..]}. */
        int verify(Draft draft, int[] truth, int at, ReplayTally tally) {
            int size = draft.size();
            int known = truth.length - at;
            int accepted = 0;
            Arrays.fill(right, 0, size, WRONG);
            for (int node = 0; node < size; node++) {
                int parent = draft.parent(node);
                int before = parent < 0 ? 0 : right[parent];
                if (before == known) {
                    right[node] = known;
                    continue;
                }
                boolean hit = before >= 0 && draft.token(node) == truth[at + before];
                right[node] = hit ? before + 1 : WRONG;
                accepted = Math.max(accepted, right[node]);
                tally.paths().add(draft.probability(node), hit);
                if (before >= 0) {
                    float parentProbability = parent < 0 ? 1 : draft.probability(parent);
                    tally.tokensAtNode().add(draft.probability(node) / parentProbability, hit);
                }
            }
            return accepted;
        }
    }
}
