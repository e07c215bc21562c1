package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.Occurrences;
import java.util.Set;

/**
 * Grows a draft's tree best-first by the probability of the whole path: who found voters at the context's end has them vote, a {@link Mixer}
 * judge what they name, and takes the likeliest candidate of the whole tree again and again. At a new node the voters that agreed
 * with its path vote again, joined by places that match its end ({@link VoterSearch#renew}).
 *
 * <p>Place 0 is the context's end, place n + 1 that below node n. After growth, {@link #candidates} holds what was judged at each place, drafted or
 * not, for learning.
 */
final class BestFirstGrowth {
    /**
     * A node whose likeliest child would have to be more than this likely, given the node, to be drafted gets no children.
     */
    static final float CHILD_PROBABILITY_HOPED = 0.5f;

    private final boolean tree;
    private final VoterSearch search;
    private final Occurrences voters = new Occurrences();
    private final Candidates candidates = new Candidates();
    private final Ballot ballot = new Ballot(voters, candidates);
    private final CandidateInputs inputs;
    private final Frontier frontier = new Frontier();
    private final DraftTree nodes = new DraftTree();
    /** Null without the target's candidates. */
    private final RowStage rows;

    /** Whose weights judge the draft in hand. */
    private Mixer judge;

    /** Voters at the context's end; those that join while a draft grows come behind them. */
    private int found;

    /** No node of the draft in hand is less likely: what the policy says, and what is of use. */
    private float floor;

    private float useful;

    /**
     * The growth of one request's drafts.
     *
     * @param search holds the request's context
     * @param tree false: the likeliest path, each node the parent of the next
     * @param parts what it drafts with
     * @param target the lane's rows of the target's own candidates; null: none
     */
    BestFirstGrowth(VoterSearch search, boolean tree, Set<DraftPart> parts, TargetRows target) {
        this.search = search;
        this.inputs = new CandidateInputs(candidates, search.places(), parts);
        this.tree = tree;
        this.rows = target == null ? null : new RowStage(target, candidates);
    }

    /** The draft in hand. */
    DraftTree nodes() {
        return nodes;
    }

    /** What was judged at each place of the draft in hand. */
    Candidates candidates() {
        return candidates;
    }

    /** The second stage, which judged them anew; null without the target's candidates. */
    RowStage rows() {
        return rows;
    }

    /** Begins another request. */
    void reset() {
        nodes.clear();
        if (rows != null) {
            rows.reset();
        }
    }

    /** Lets go of the texts that voters stand in. */
    void release() {
        voters.release();
        found = 0;
    }

    /**
     * Begins an empty draft.
     *
     * @param probabilityFloor no node shall be less likely
     * @param probabilityUseful nor less likely than this, and what only such nodes would need is not looked for
     */
    void open(float probabilityFloor, float probabilityUseful) {
        useful = probabilityUseful;
        floor = Math.max(probabilityFloor, probabilityUseful);
        nodes.clear();
    }

    /** Finds the voters at the context's end, for the request's own step or, with false, for those of others. */
    void find(LaneIndex index, boolean step) {
        voters.clear();
        search.collect(index, voters, step);
        inputs.open(index.vocabulary());
        found = voters.size();
    }

    /** Forgets the voters that joined a draft that grew before, for another to grow from the same place. */
    void retake() {
        voters.truncate(found);
    }

    void grow(Mixer by, int nodesMax) {
        begin(by, nodesMax);
        while (grows(nodesMax)) {
            addLikeliest();
        }
    }

    /** As {@link #grow}, but only as far as {@code truth[at..]} is in the tree; returns how many of its tokens are nodes. */
    int growAlong(Mixer by, int nodesMax, int[] truth, int at) {
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
                voter < 0 ? DraftTree.NO_SOURCE : voters.source(voter),
                voter < 0 ? 0 : Math.max(1, voters.matchLength(voter)));
        candidates.node[candidate] = node;
        return node;
    }

    /** Lets the voters of a new place vote, judges the candidates, and puts those above the floor on the frontier. */
    private void expand(int place, int firstVoter, int depth, float pathProbability) {
        ballot.vote(place, firstVoter, depth);
        if (place == 0) {
            inputs.addPopular(place);
        }
        inputs.describe(place, last(place));
        float left = candidates.isEmpty(place) ? 1 : judge.judge(candidates, place, pathProbability);
        if (rows != null) {
            rows.judge(judge, place, left, last(place), pathProbability);
        }
        if (tree) {
            pushAll(place);
        } else {
            pushLikeliest(place);
        }
    }

    /** The token before a place. */
    private int last(int place) {
        return place == 0 ? search.lastToken() : nodes.token(place - 1);
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
}
