package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import java.util.Set;

/**
 * The default: occurrences vote, a learned mixer decides.
 *
 * <p><b>Idea.</b> Published suffix methods pick one match (the longest) or one statistic (the count along the deepest
 * node). Here the nearest occurrences of the context's end in every source all vote for the next token, with their source
 * and match length kept apart, and a {@link Mixer} that learns from every verification turns the votes into a
 * probability. The tree grows best-first by the probability of the whole path: at a drafted node the voters that agreed
 * with the path so far vote again, joined by others that match the path's end. Growth stops at the budget, or below the
 * policy's floor. Nodes whose children have little hope to be drafted before the budget is spent get none.
 *
 * <p><b>Learning.</b> After {@link #verified} the true next token is known at every accepted node, so each candidate
 * there, drafted or not, is a labelled example.
 *
 * <p><b>Invariants.</b> Parents come before children, a parent has no two children of one token, a child is never
 * likelier than its parent, sizes never pass the budget. The same calls give the same drafts.
 *
 * <p><b>Cost.</b> A draft visits each voter once for each token it goes along, and judges each candidate once; it
 * allocates nothing once the arrays have grown to their working size. Memory is the own context's automaton plus some
 * hundred kilobytes.
 *
 * <p><b>Reference.</b> The best-first tree is that of SuffixDecoding (arXiv 2411.04975, section 4.2, with learned
 * probabilities for its frequency score D(N)); the mixing is described at {@link Mixer}.
 *
 * <p>With {@link LaneIndex#EMPTY} it drafts from the own context alone. {@link #with} a lane's rows of the target's own candidates these
 * compete with what voters name, also below each other ({@link RowStage}); without them nothing of it is computed. Where the request's own
 * verifications have told a token's row, as RACER takes it (arXiv 2604.14885, section 3), that one stands for the lane's.
 */
public final class AdaptiveDrafter implements CandidateDrafter {
    private final Mixer mixer;
    private final DraftPolicy policy;
    private final boolean tree;
    private final Set<DraftPart> parts;
    private final TargetRows target;
    private final VoterSearch search;
    private BestFirstGrowth growth;
    /** Whether the last draft's candidates wait for their verification. */
    private boolean drafted;

    /** The draft before, and what was emitted then, where {@link #emitted} has left its lesson for later. */
    private BestFirstGrowth before;

    private int[] lesson = new int[DraftPolicy.BUDGET_MAX + 1];
    private int lessonLength;

    private double logLoss;
    private long predictions;

    /**
     * A drafter for one request at a time.
     *
     * @param mixer judges candidates, and learns from what this drafter's verifications say
     * @param policy limits
     */
    public AdaptiveDrafter(Mixer mixer, DraftPolicy policy) {
        this(mixer, policy, true, DraftPart.ALL);
    }

    /**
     * A drafter of trees, or of single paths for engines that cannot verify trees.
     *
     * @param mixer judges candidates, and learns from what this drafter's verifications say
     * @param policy limits
     * @param tree false: the likeliest path, each node the parent of the next
     * @param parts what it drafts with; {@link DraftPart#ALL} but for measuring
     */
    public AdaptiveDrafter(Mixer mixer, DraftPolicy policy, boolean tree, Set<DraftPart> parts) {
        this(mixer, policy, tree, parts, null);
    }

    private AdaptiveDrafter(Mixer mixer, DraftPolicy policy, boolean tree, Set<DraftPart> parts, TargetRows target) {
        this.mixer = mixer;
        this.policy = policy;
        this.tree = tree;
        this.parts = parts;
        this.target = target;
        this.search = new VoterSearch(parts);
        this.growth = grown();
    }

    private BestFirstGrowth grown() {
        return new BestFirstGrowth(search, tree, parts, target);
    }

    /**
     * A drafter like this one that also drafts the target's own candidates, and learns into {@code target} what they are worth.
     *
     * @param target what the lane's requests know of them
     * @return another drafter, which has seen nothing
     */
    public AdaptiveDrafter with(TargetRows target) {
        return new AdaptiveDrafter(mixer, policy, tree, parts, target);
    }

    @Override
    public void begin(int[] prompt, int length) {
        drafted = false;
        lessonLength = 0;
        logLoss = 0;
        predictions = 0;
        release();
        growth.reset();
        search.reset();
        extend(prompt, 0, length);
        search.beginAnswer();
    }

    @Override
    public void end() {
        release();
        search.release();
    }

    private void release() {
        growth.release();
        if (before != null) {
            before.release();
        }
    }

    @Override
    public void prepare(LaneIndex index) {
        search.prepare(index);
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        return draft(index, budget, 0);
    }

    @Override
    public Draft draft(LaneIndex index, int budget, float probabilityMin) {
        int nodesMax = open(budget, probabilityMin);
        if (nodesMax > 0 && search.contextLength() > 0) {
            growth.find(index, true);
            growth.grow(mixer, nodesMax);
            drafted = true;
        }
        return growth.nodes();
    }

    /**
     * How many tokens of the truth a {@link #draft} would have right, for who knows it: the same voters, candidates and order of growth, but
     * nothing grows once the truth has left the tree. {@link #learn} then learns what it would learn from the whole draft. Not with the
     * target's candidates: who knows the truth without a target has none.
     *
     * @param index shared sources as they stand now
     * @param budget most nodes, 0 to {@link DraftPolicy#BUDGET_MAX}
     * @param truth the context goes on with {@code truth[at..]}
     * @param at where in it the context ends
     * @return how many of its tokens are nodes, along one path
     */
    public int follow(LaneIndex index, int budget, int[] truth, int at) {
        requireVotersOnly();
        int nodesMax = open(budget, 0);
        if (nodesMax == 0 || search.contextLength() == 0) {
            return 0;
        }
        growth.find(index, true);
        int right = growth.growAlong(mixer, nodesMax, truth, at);
        drafted = true;
        return right;
    }

    @Override
    public boolean lacks(int token) {
        return target != null && target.lacks(token);
    }

    @Override
    public void candidates(int token, int[] likeliest, int count) {
        if (target != null) {
            growth.rows().tell(token, likeliest, count);
        }
    }

    @Override
    public void verified(int[] tokens, int length) {
        learn(tokens, 0, length);
        extend(tokens, 0, length);
    }

    /** With the target's candidates nothing waits: what they teach is needed for the next draft. */
    @Override
    public void emitted(int[] tokens, int length) {
        learn();
        if (drafted && target == null) {
            leaveLesson(tokens, length);
        }
        verified(tokens, length);
    }

    /** The draft in hand becomes the one before. */
    private void leaveLesson(int[] tokens, int length) {
        drafted = false;
        BestFirstGrowth free = before == null ? grown() : before;
        before = growth;
        growth = free;
        lessonLength = Math.min(length, lesson.length);
        System.arraycopy(tokens, 0, lesson, 0, lessonLength);
    }

    @Override
    public void learn() {
        if (lessonLength > 0) {
            learn(before, lesson, 0, lessonLength);
            lessonLength = 0;
        }
    }

    /**
     * False if it drafts nothing and so looks for nothing, whatever the context.
     *
     * @param budget most nodes, 0 to {@link DraftPolicy#BUDGET_MAX}
     * @return false if so
     */
    public boolean drafts(int budget) {
        return budget > 0 && policy.drafts();
    }

    /**
     * Finds the voters at the context's end, for {@link #followAs}, between this drafter's own steps: the answers that it follows stay where
     * those left them.
     *
     * @param index shared sources as they stand now
     */
    public void find(LaneIndex index) {
        if (search.contextLength() > 0) {
            growth.find(index, false);
        }
    }

    /**
     * What {@link #follow} would say with another mixer and other limits, where the context still is as it was at the last {@link #draft},
     * {@link #follow} or {@link #find}: without a search of its own, and with the answers that this drafter's steps follow. Nothing is learned
     * from it, nor afterwards from the draft before.
     *
     * @param other its mixer
     * @param limits its limits
     * @param truth what the context goes on with
     * @param at where in it the context ends
     * @return how many tokens of the truth that drafter's tree holds, along one path
     */
    public int followAs(Mixer other, DraftPolicy limits, int[] truth, int at) {
        requireVotersOnly();
        drafted = false;
        growth.open(limits.probabilityFloor(), 0);
        if (!limits.drafts() || limits.budgetMax() == 0 || search.contextLength() == 0) {
            return 0;
        }
        growth.retake();
        return growth.growAlong(other, limits.budgetMax(), truth, at);
    }

    /**
     * The first half of {@link #verified}: learns, and leaves the context as it is. Of {@code tokens} those in {@code [from, to)} count.
     *
     * @param tokens token ids
     * @param from the first
     * @param to behind the last
     */
    public void learn(int[] tokens, int from, int to) {
        if (drafted) {
            drafted = false;
            learn(growth, tokens, from, to);
        }
    }

    private void learn(BestFirstGrowth draft, int[] tokens, int from, int to) {
        int place = 0;
        for (int i = from; i < to && place >= 0; i++) {
            place = learn(draft, place, tokens[i]);
        }
    }

    /**
     * The other half: extends the context by {@code tokens[from..to)}.
     *
     * @param tokens token ids
     * @param from the first
     * @param to behind the last
     */
    public void extend(int[] tokens, int from, int to) {
        drafted = false;
        for (int i = from; i < to; i++) {
            search.append(tokens[i]);
        }
    }

    /** Begins a draft; gives the most nodes it may have. */
    private int open(int budget, float probabilityMin) {
        DraftPolicy.requireBudget(budget);
        growth.open(policy.probabilityFloor(), probabilityMin);
        drafted = false;
        return policy.enabled() ? Math.min(budget, policy.budgetMax()) : 0;
    }

    /** The truth is followed through recordings, and those do not hold the target's candidates. */
    private void requireVotersOnly() {
        if (target != null) {
            throw new IllegalStateException("a drafter with the target's candidates cannot follow a recorded answer");
        }
    }

    /** Learns from the true token at a place; returns the place of the node that carries it, or -1. */
    private int learn(BestFirstGrowth draft, int place, int truth) {
        RowStage rows = draft.rows();
        Candidates candidates = draft.candidates();
        int unvoted = rows == null ? -1 : rows.learn(place, truth);
        if (candidates.isEmpty(place)) {
            return unvoted < 0 ? -1 : unvoted + 1;
        }
        int candidate = candidates.find(place, truth);
        addLoss(draft, place, candidate);
        mixer.learn(candidates, place, truth);
        int node = candidate < 0 ? unvoted : candidates.node[candidate];
        return node < 0 ? -1 : node + 1;
    }

    /** The surprise at what came, a candidate or, with -1, none of them, under what the mixer predicted. */
    private void addLoss(BestFirstGrowth draft, int place, int truth) {
        double predicted = draft.rows() == null
                ? predicted(draft, place, truth)
                : draft.rows().mixed(place, truth);
        logLoss -= Math.log(Math.max(1e-6, predicted));
        predictions++;
    }

    private static double predicted(BestFirstGrowth draft, int place, int truth) {
        Candidates candidates = draft.candidates();
        float reached = place == 0 ? 1 : draft.nodes().probability(place - 1);
        double share = 0;
        for (int candidate = candidates.first[place]; truth < 0 && candidate < candidates.end[place]; candidate++) {
            share += candidates.probability[candidate];
        }
        return truth < 0 ? 1 - share / reached : candidates.probability[truth] / reached;
    }

    /**
     * Log-loss of the predictions since {@link #begin} in nats, summed over {@link #predictions}.
     *
     * @return nats
     */
    public double logLoss() {
        return logLoss;
    }

    /**
     * Places since {@link #begin} at which it is known what came.
     *
     * @return how many
     */
    public long predictions() {
        return predictions;
    }
}
