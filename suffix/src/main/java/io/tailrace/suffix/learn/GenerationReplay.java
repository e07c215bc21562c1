package io.tailrace.suffix.learn;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.lane.LaneIndex;

/**
 * Walks a completed generation step by step, as a worker would have served it: the answer is known, so it is known which path of
 * each draft a greedy verifier would have accepted (the simulated verifier of SuffixDecoding, arXiv 2411.04975, section 5.1). One
 * thread at a time; allocates nothing.
 */
public final class GenerationReplay {
    private final int[] verified = new int[DraftPolicy.BUDGET_MAX + 1];
    private long steps;
    private long drafted;
    private long accepted;

    /** Replays one generation; the figures are of the last one. Where the prompt is unknown the first token is the context. */
    public void run(Drafter drafter, int[] prompt, int[] response, LaneIndex index, int budget) {
        steps = 0;
        drafted = 0;
        accepted = 0;
        boolean bare = prompt.length == 0;
        drafter.begin(bare ? response : prompt, bare ? Math.min(1, response.length) : prompt.length);
        for (int at = bare ? 1 : 0; at < response.length; ) {
            Draft draft = drafter.draft(index, budget);
            int took = accepted(draft, response, at);
            int length = Math.min(took + 1, response.length - at);
            System.arraycopy(response, at, verified, 0, length);
            steps++;
            drafted += draft.size();
            accepted += took;
            drafter.verified(verified, length);
            at += length;
        }
    }

    /** How many draft tokens, along one path from the context's end, agree with {@code truth[at..]}. */
    static int accepted(Draft draft, int[] truth, int at) {
        int node = -1;
        int accepted = 0;
        for (int next = 0; next < draft.size() && at + accepted < truth.length; next++) {
            if (draft.parent(next) == node && draft.token(next) == truth[at + accepted]) {
                node = next;
                accepted++;
            }
        }
        return accepted;
    }

    /** Verifications. */
    public long steps() {
        return steps;
    }

    public long drafted() {
        return drafted;
    }

    public long accepted() {
        return accepted;
    }
}
