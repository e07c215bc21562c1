package io.tailrace.suffix.draft;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.candidates.TargetRows;
import io.tailrace.suffix.lane.LaneIndex;

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
 * compete with what voters name, also below each other ({@link RowStage}); without them nothing of it is computed.
 */
public final class AdaptiveDrafter implements Drafter {
    /**
     * A node whose likeliest child would have to be more than this likely, given the node, to be drafted gets no children.
     */
    static final float CHILD_PROBABILITY_HOPED = 0.5f;

    private final Mixer mixer;
    private final DraftPolicy policy;
    private final boolean tree;
    private final boolean ownVotes;
    private final VoterSearch search;
    private final Occurrences voters = new Occurrences();
    private final Candidates candidates = new Candidates();
    private final Ballot ballot = new Ballot(voters, candidates);
    private final Frontier frontier = new Frontier();
    private final DraftTree nodes = new DraftTree();
    /** Null without the target's candidates. */
    private final RowStage rows;
    /** Whether the last draft's candidates wait for their verification. */
    private boolean drafted;

    /** Whose weights judge the draft in hand. */
    private Mixer judge;

    /** Voters at the context's end; those that join while a draft grows come behind them. */
    private int found;

    /** No node of the draft in hand is less likely: what the policy says, and what is of use. */
    private float floor;

    private float useful;

    private double logLoss;
    private long predictions;

    /**
     * A drafter for one request at a time.
     *
     * @param mixer judges candidates, and learns from what this drafter's verifications say
     * @param policy limits
     */
    public AdaptiveDrafter(Mixer mixer, DraftPolicy policy) {
        this(mixer, policy, true, true);
    }

    /**
     * A drafter of trees, or of single paths for engines that cannot verify trees.
     *
     * @param tree false: the likeliest path, each node the parent of the next
     * @param ownVotes false: the request's own context does not vote; for measuring what the shared sources give alone
     */
    public AdaptiveDrafter(Mixer mixer, DraftPolicy policy, boolean tree, boolean ownVotes) {
        this(mixer, policy, tree, ownVotes, null);
    }

    private AdaptiveDrafter(Mixer mixer, DraftPolicy policy, boolean tree, boolean ownVotes, TargetRows target) {
        this.mixer = mixer;
        this.policy = policy;
        this.tree = tree;
        this.ownVotes = ownVotes;
        this.search = new VoterSearch(ownVotes);
        this.rows = target == null ? null : new RowStage(target, candidates);
    }

    /** A drafter like this one that also drafts the target's own candidates, and learns into {@code target} what they are worth. */
    public AdaptiveDrafter with(TargetRows target) {
        return new AdaptiveDrafter(mixer, policy, tree, ownVotes, target);
    }

    @Override
    public void begin(int[] prompt, int length) {
        drafted = false;
        logLoss = 0;
        predictions = 0;
        nodes.clear();
        search.reset();
        extend(prompt, 0, length);
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        return draft(index, budget, 0);
    }

    @Override
    public Draft draft(LaneIndex index, int budget, float probabilityMin) {
        int nodesMax = open(budget, probabilityMin);
        if (nodesMax > 0 && search.contextLength() > 0) {
            find(index);
            grow(mixer, nodesMax);
            drafted = true;
        }
        return nodes;
    }

    /**
     * How many tokens of the truth a {@link #draft} would have right, for who knows it: the same voters, candidates and order of growth, but
     * nothing grows once the truth has left the tree. {@link #learn} then learns what it would learn from the whole draft. Not with the
     * target's candidates: who knows the truth without a target has none.
     *
     * @param truth the context goes on with {@code truth[at..]}
     */
    public int follow(LaneIndex index, int budget, int[] truth, int at) {
        requireVotersOnly();
        int nodesMax = open(budget, 0);
        if (nodesMax == 0 || search.contextLength() == 0) {
            return 0;
        }
        find(index);
        int right = growAlong(mixer, nodesMax, truth, at);
        drafted = true;
        return right;
    }

    @Override
    public boolean needsCandidates() {
        return rows != null;
    }

    @Override
    public boolean lacks(int token) {
        return rows != null && rows.target().lacks(token);
    }

    @Override
    public void candidates(int token, int[] likeliest, int count) {
        if (rows != null) {
            rows.target().tell(token, likeliest, count);
        }
    }

    @Override
    public void verified(int[] tokens, int length) {
        learn(tokens, 0, length);
        extend(tokens, 0, length);
    }

    /** False if it drafts nothing and so looks for nothing, whatever the context. */
    public boolean drafts(int budget) {
        return budget > 0 && policy.drafts();
    }

    /** Finds the voters at the context's end, for {@link #followAs}. */
    public void find(LaneIndex index) {
        voters.clear();
        search.collect(index, voters);
        found = voters.size();
    }

    /**
     * What {@link #follow} says of another drafter, with another mixer and other limits, where the context still is as it was at the last
     * {@link #draft}, {@link #follow} or {@link #find}: without a search of its own. Nothing is learned from it, nor afterwards from the draft before.
     */
    public int followAs(Mixer other, DraftPolicy limits, int[] truth, int at) {
        requireVotersOnly();
        open(0, 0);
        floor = limits.probabilityFloor();
        if (!limits.drafts() || limits.budgetMax() == 0 || search.contextLength() == 0) {
            return 0;
        }
        voters.truncate(found);
        return growAlong(other, limits.budgetMax(), truth, at);
    }

    /** The first half of {@link #verified}: learns, and leaves the context as it is. Of {@code tokens} those in {@code [from, to)} count. */
    public void learn(int[] tokens, int from, int to) {
        if (drafted) {
            drafted = false;
            int place = 0;
            for (int i = from; i < to && place >= 0; i++) {
                place = learn(place, tokens[i]);
            }
        }
    }

    /** The other half: extends the context by {@code tokens[from..to)}. */
    public void extend(int[] tokens, int from, int to) {
        drafted = false;
        for (int i = from; i < to; i++) {
            search.append(tokens[i]);
        }
    }

    /** Begins a draft; gives the most nodes it may have. */
    private int open(int budget, float probabilityMin) {
        useful = probabilityMin;
        floor = Math.max(policy.probabilityFloor(), useful);
        DraftPolicy.requireBudget(budget);
        nodes.clear();
        drafted = false;
        return policy.enabled() ? Math.min(budget, policy.budgetMax()) : 0;
    }

    private void grow(Mixer by, int nodesMax) {
        begin(by, nodesMax);
        while (grows(nodesMax)) {
            addLikeliest();
        }
    }

    /** The truth is followed through recordings, and those do not hold the target's candidates. */
    private void requireVotersOnly() {
        if (rows != null) {
            throw new IllegalStateException("a drafter with the target's candidates cannot follow a recorded answer");
        }
    }

    /** As far as the truth goes; returns how many of its tokens are nodes. */
    private int growAlong(Mixer by, int nodesMax, int[] truth, int at) {
        begin(by, nodesMax);
        int right = 0;
        int awaited = awaited(0, truth, at);
        while (awaited >= 0 && grows(nodesMax)) {
            int candidate = addLikeliest();
            if (candidate == awaited) {
                right++;
                awaited = awaited(candidates.node[candidate] + 1, truth, at + right);
            }
        }
        return right;
    }

    /** The candidate of a place that is the truth and may yet become a node, or -1. */
    private int awaited(int place, int[] truth, int at) {
        int candidate = at < truth.length ? candidates.find(place, truth[at]) : -1;
        return candidate >= 0 && candidates.probability[candidate] >= floor ? candidate : -1;
    }

    private void begin(Mixer by, int nodesMax) {
        judge = by;
        candidates.clear();
        if (rows != null) {
            rows.clear();
        }
        frontier.open(nodesMax);
        expand(0, ballot.electorate(), 0, 1);
    }

    private boolean grows(int nodesMax) {
        return nodes.size() < nodesMax && !frontier.isEmpty();
    }

    /** Makes the likeliest candidate a node, with candidates of its own where there is hope; returns it. */
    private int addLikeliest() {
        int candidate = frontier.pop();
        int node = candidate < 0 ? rows.addNode(~candidate, nodes) : addNode(candidate);
        float hoped = nodes.probability(node) * CHILD_PROBABILITY_HOPED;
        if (hoped > Math.max(frontier.threshold(), useful)) {
            goOn(candidate, node);
        } else {
            leave(node);
        }
        return candidate;
    }

    /** Looks for a node's children: what its voters, and those that join them, say; below an unvoted one only the target's row. */
    private void goOn(int candidate, int node) {
        if (candidate >= 0) {
            int known = voters.size();
            search.renew(nodes, node, voters);
            ballot.join(candidate, known);
        }
        int firstVoter = candidate < 0 ? -1 : candidates.firstVoter[candidate];
        expand(node + 1, firstVoter, nodes.depth(node), nodes.probability(node));
    }

    /** Leaves a node without children. */
    private void leave(int node) {
        candidates.open(node + 1, nodes.depth(node));
        if (rows != null) {
            rows.open(node + 1);
        }
    }

    private int addNode(int candidate) {
        int voter = candidates.bestVoter[candidate];
        int node = nodes.add(
                candidates.token[candidate],
                candidates.place[candidate] - 1,
                candidates.probability[candidate],
                voters.source(voter),
                Math.max(1, voters.matchLength(voter)));
        candidates.node[candidate] = node;
        return node;
    }

    /** Lets the voters of a new place vote, judges the candidates, and puts those above the floor on the frontier. */
    private void expand(int place, int firstVoter, int depth, float pathProbability) {
        ballot.vote(place, firstVoter, depth);
        float left = candidates.isEmpty(place) ? 1 : judge.judge(candidates, place, pathProbability);
        if (rows != null) {
            rows.judge(judge, place, left, place == 0 ? search.lastToken() : nodes.token(place - 1), pathProbability);
        }
        if (tree) {
            pushAll(place);
        } else {
            pushLikeliest(place);
        }
    }

    private void pushAll(int place) {
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            push(candidates.probability[candidate], candidate);
        }
        for (int unvoted = firstUnvoted(place); unvoted < endUnvoted(place); unvoted++) {
            push(rows.probability(unvoted), ~unvoted);
        }
    }

    private void pushLikeliest(int place) {
        int best = 0;
        float likeliest = -1;
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            if (candidates.probability[candidate] > likeliest) {
                best = candidate;
                likeliest = candidates.probability[candidate];
            }
        }
        for (int unvoted = firstUnvoted(place); unvoted < endUnvoted(place); unvoted++) {
            if (rows.probability(unvoted) > likeliest) {
                best = ~unvoted;
                likeliest = rows.probability(unvoted);
            }
        }
        push(likeliest, best);
    }

    /** Puts a candidate on the frontier, or an unvoted one by the complement of its number. */
    private void push(float probability, int candidate) {
        if (probability >= floor) {
            frontier.push(probability, candidate);
        }
    }

    private int firstUnvoted(int place) {
        return rows == null ? 0 : rows.first(place);
    }

    private int endUnvoted(int place) {
        return rows == null ? 0 : rows.end(place);
    }

    /** Learns from the true token at a place; returns the place of the node that carries it, or -1. */
    private int learn(int place, int truth) {
        int unvoted = rows == null ? -1 : rows.learn(place, truth);
        if (candidates.isEmpty(place)) {
            return unvoted < 0 ? -1 : unvoted + 1;
        }
        int candidate = candidates.find(place, truth);
        addLoss(place, candidate);
        mixer.learn(candidates, place, truth);
        int node = candidate < 0 ? unvoted : candidates.node[candidate];
        return node < 0 ? -1 : node + 1;
    }

    /** The surprise at what came, a candidate or, with -1, none of them, under what the mixer predicted. */
    private void addLoss(int place, int truth) {
        double predicted = rows == null ? predicted(place, truth) : rows.mixed(place, truth);
        logLoss -= Math.log(Math.max(1e-6, predicted));
        predictions++;
    }

    private double predicted(int place, int truth) {
        float reached = place == 0 ? 1 : nodes.probability(place - 1);
        double share = 0;
        for (int candidate = candidates.first[place]; truth < 0 && candidate < candidates.end[place]; candidate++) {
            share += candidates.probability[candidate];
        }
        return truth < 0 ? 1 - share / reached : candidates.probability[truth] / reached;
    }

    /** Log-loss of the predictions since {@link #begin} in nats, summed over {@link #predictions}. */
    public double logLoss() {
        return logLoss;
    }

    /** Places since {@link #begin} at which it is known what came. */
    public long predictions() {
        return predictions;
    }
}
