package io.tailrace.suffix.learn;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import java.util.Arrays;

/**
 * Walks a completed generation step by step, as a worker would have served it: the answer is known, so it is known which path of
 * each draft a greedy verifier would have accepted (the simulated verifier of SuffixDecoding, arXiv 2411.04975, section 5.1). One
 * thread at a time; allocates nothing.
 *
 * <p>{@link #run} drafts in full. {@link #walk} takes the same steps and learns the same, to the bit, but grows drafts no further than the answer
 * follows them: most leave it early. Other mixers, each with limits of its own, can be tried beside the drafter's: each takes the steps it would take alone. Much of what
 * a draft costs then is finding its voters, and mixers that are alike accept alike; so all walk along the generation together, and where several come to one place
 * the voters are found once.
 *
 * <p>In the end the drafter lets go of the lane, and of the answers that it copied out of it.
 */
public final class GenerationReplay {
    /**
     * What is tried beside a drafter.
     *
     * @param limits whether it drafts, how much, and down to which probability; their weights do not count
     */
    public record Side(Mixer mixer, DraftPolicy limits) {}

    private static final Side[] NOBODY = {};

    /** One draft of so many is grown in full, and counted for all of them. */
    static final int DRAFTED_SAMPLE = 16;

    private final AcceptedPath path = new AcceptedPath();
    private final int[] verified = new int[DraftPolicy.BUDGET_MAX + 1];
    private long steps;
    private long drafted;
    private long accepted;
    /** Of each mixer beside: where it is in the response, and the steps it took. */
    private int[] places = new int[2];

    private long[] stepsBeside = new long[2];
    /** Of all generations: which drafts are counted shall not depend on where in a generation they are. */
    private long stepsEver;

    /** Replays one generation with any drafter; the figures are of the last one. Where the prompt is unknown the first token is said. */
    public void run(Drafter drafter, int[] prompt, int[] response, LaneIndex index, int budget) {
        int first = begin(drafter, prompt, response, NOBODY);
        for (int at = first; at < response.length; ) {
            Draft draft = drafter.draft(index, budget);
            int took = path.walk(draft, response, at);
            int length = Math.min(took + 1, response.length - at);
            System.arraycopy(response, at, verified, 0, length);
            steps++;
            drafted += draft.size();
            accepted += took;
            drafter.verified(verified, length);
            at += length;
        }
        drafter.end();
    }

    /**
     * The same without growing drafts that are wrong already, and what the drafter would do with other mixers' weights, as they are, and
     * other limits: nothing is learned for those. {@link #drafted} is then extrapolated from one step in {@value #DRAFTED_SAMPLE}.
     *
     * @param budget the drafter's own
     * @param beside the others; {@link #stepsBeside} tells of them
     */
    public void walk(
            AdaptiveDrafter drafter, int[] prompt, int[] response, LaneIndex index, int budget, Side... beside) {
        int first = begin(drafter, prompt, response, beside);
        for (int at = first, own = first, next; at < response.length; at = next) {
            boolean isOwn = own == at;
            if (isOwn) {
                own = step(drafter, response, index, budget, at);
            }
            if (beside.length > 0 && (!isOwn || !drafter.drafts(budget))) {
                drafter.find(index);
            }
            next = own;
            for (int i = 0; i < beside.length; i++) {
                if (places[i] == at) {
                    stepsBeside[i]++;
                    places[i] =
                            next(drafter.followAs(beside[i].mixer(), beside[i].limits(), response, at), response, at);
                }
                next = Math.min(next, places[i]);
            }
            drafter.extend(response, at, next);
        }
        drafter.end();
    }

    /** Where in the response drafting begins. */
    private int begin(Drafter drafter, int[] prompt, int[] response, Side[] beside) {
        int first = prompt.length == 0 ? Math.min(1, response.length) : 0;
        drafter.begin(prompt, prompt.length);
        drafter.verified(response, first);
        steps = 0;
        drafted = 0;
        accepted = 0;
        if (places.length < beside.length) {
            places = new int[beside.length];
            stepsBeside = new long[beside.length];
        }
        Arrays.fill(places, first);
        Arrays.fill(stepsBeside, 0);
        return first;
    }

    /** The drafter's own step, with what it learns from it; where the next one is. */
    private int step(AdaptiveDrafter drafter, int[] response, LaneIndex index, int budget, int at) {
        int took;
        if (stepsEver++ % DRAFTED_SAMPLE == 0) {
            Draft draft = drafter.draft(index, budget);
            drafted += (long) DRAFTED_SAMPLE * draft.size();
            took = path.walk(draft, response, at);
        } else {
            took = drafter.follow(index, budget, response, at);
        }
        steps++;
        accepted += took;
        int next = next(took, response, at);
        drafter.learn(response, at, next);
        return next;
    }

    /** Behind what is accepted, and the model's own token. */
    private static int next(int took, int[] truth, int at) {
        return Math.min(at + took + 1, truth.length);
    }

    /** Verifications. */
    public long steps() {
        return steps;
    }

    /** Draft tokens; of a {@link #walk}, about. */
    public long drafted() {
        return drafted;
    }

    public long accepted() {
        return accepted;
    }

    /** Verifications that one beside, by its place among them, would have needed. */
    public long stepsBeside(int side) {
        return stepsBeside[side];
    }
}
