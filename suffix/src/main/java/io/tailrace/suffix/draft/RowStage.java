package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * The second stage of a drafter that knows the target's own candidates: at a place of the tree, what the mixer says of the voters'
 * tokens meets the row of the place's own token, and both compete for the place's probability ({@link RankWeights}). Tokens of the row
 * that no voter names are candidates here: {@code unvoted} ones, counted from 0 over all places of a draft.
 *
 * <p>It changes neither the mixer's judgement nor what the mixer learns. Cost: each candidate once more, and for each place eight
 * look-ups among its candidates; nothing is allocated once the arrays have grown.
 */
final class RowStage {
    private static final int PLACES = DraftPolicy.BUDGET_MAX + 1;
    private static final float SAID_MAX = 8;

    private final TargetRows lane;
    private final TargetRows request;
    private final Candidates candidates;
    /** Of each voted candidate: what the mixer says of it, and its rank in its place's row. */
    private float[] said = new float[256];

    private int[] ranks = new int[256];

    private final int[] unvotedToken = new int[PLACES * TargetRows.CANDIDATES_MAX];
    private final int[] unvotedRank = new int[unvotedToken.length];
    private final int[] unvotedPlace = new int[unvotedToken.length];
    private final int[] unvotedNode = new int[unvotedToken.length];
    private final float[] unvotedProbability = new float[unvotedToken.length];
    private int size;
    private final int[] first = new int[PLACES];
    private final int[] end = new int[PLACES];
    /** Whether a place's row is the request's. */
    private final boolean[] own = new boolean[PLACES];
    /** What the voters of a place leave over, less one. */
    private final float[] left = new float[PLACES];

    private float[] odds = new float[64];

    RowStage(TargetRows lane, Candidates candidates) {
        this.lane = lane;
        this.request = lane.ofRequest();
        this.candidates = candidates;
    }

    /** Begins another request. */
    void reset() {
        request.clear();
        clear();
    }

    /** Takes what the target found likeliest after a token, for the request and for its lane. */
    void tell(int token, int[] likeliest, int count) {
        request.tell(token, likeliest, count);
        lane.tell(token, likeliest, count);
    }

    void clear() {
        size = 0;
    }

    /** A place without children. */
    void open(int place) {
        first[place] = size;
        end[place] = size;
    }

    /**
     * Judges a place, after the mixer if it has voters: the path probabilities of its candidates, with voters and without.
     *
     * @param mixer what judged it
     * @param leftOver the share that it left over: 1 without voters
     * @param after the token at the place
     */
    void judge(Mixer mixer, int place, float leftOver, int after, float pathProbability) {
        open(place);
        left[place] = leftOver - 1;
        keep(mixer, place);
        own[place] = request.row(after) != TargetRows.NONE;
        rank(place, own[place] ? request : lane, after);
        float sum = sumOdds(place);
        int at = 0;
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            candidates.probability[candidate] = pathProbability * (odds[at++] / sum);
        }
        for (int unvoted = first[place]; unvoted < end[place]; unvoted++) {
            unvotedProbability[unvoted] = pathProbability * (odds[at++] / sum);
        }
    }

    /** The first of a place's unvoted candidates. */
    int first(int place) {
        return first[place];
    }

    /** Behind the last of them. */
    int end(int place) {
        return end[place];
    }

    /** Probability of the whole path to an unvoted candidate. */
    float probability(int unvoted) {
        return unvotedProbability[unvoted];
    }

    /** Drafts an unvoted candidate: no source names it. */
    int addNode(int unvoted, DraftTree tree) {
        int node = tree.add(
                unvotedToken[unvoted], unvotedPlace[unvoted] - 1, unvotedProbability[unvoted], DraftTree.NO_SOURCE, 0);
        unvotedNode[unvoted] = node;
        return node;
    }

    /** Learns from the true token at a place; returns the unvoted candidate's node that carries it, or -1. */
    int learn(int place, int truth) {
        if (candidates.isEmpty(place) && first[place] == end[place]) {
            return -1;
        }
        float sum = sumOdds(place);
        RankWeights weights = weights(place);
        weights.open();
        int at = 0;
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            float hit = candidates.token[candidate] == truth ? 1 : 0;
            weights.addVoted(hit - odds[at++] / sum, said[candidate], ranks[candidate]);
        }
        int node = -1;
        for (int unvoted = first[place]; unvoted < end[place]; unvoted++) {
            float hit = unvotedToken[unvoted] == truth ? 1 : 0;
            node = hit > 0 ? unvotedNode[unvoted] : node;
            weights.addUnvoted(hit - odds[at++] / sum, left[place], unvotedRank[unvoted]);
        }
        weights.step();
        return node;
    }

    /** The share that the mixer alone gave a voted candidate of a place, or with -1 none of them. */
    double mixed(int place, int truth) {
        double sum = 1;
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            sum += Features.exponential(said[candidate]);
        }
        return (truth < 0 ? 1 : Features.exponential(said[truth])) / sum;
    }

    private void keep(Mixer mixer, int place) {
        int from = candidates.first[place];
        if (said.length < candidates.size) {
            said = Arrays.copyOf(said, 2 * candidates.size);
            ranks = Arrays.copyOf(ranks, 2 * candidates.size);
        }
        for (int candidate = from; candidate < candidates.end[place]; candidate++) {
            said[candidate] = Math.max(-SAID_MAX, Math.min(SAID_MAX, mixer.judged(candidate - from)));
        }
    }

    private RankWeights weights(int place) {
        return own[place] ? lane.weightsOfRequests() : lane.weights();
    }

    private void rank(int place, TargetRows rows, int after) {
        int row = rows.row(after);
        boolean known = row != TargetRows.NONE;
        Arrays.fill(
                ranks,
                candidates.first[place],
                candidates.end[place],
                known ? RankWeights.OUTSIDE : RankWeights.UNKNOWN);
        int count = known ? rows.count(row) : 0;
        for (int rank = 0; rank < count; rank++) {
            int token = rows.at(row, rank);
            int candidate = candidates.find(place, token);
            if (candidate >= 0) {
                ranks[candidate] = rank;
            } else {
                add(place, token, rank);
            }
        }
    }

    private void add(int place, int token, int rank) {
        unvotedToken[size] = token;
        unvotedRank[size] = rank;
        unvotedPlace[size] = place;
        unvotedNode[size] = -1;
        end[place] = ++size;
    }

    /** Fills {@code odds}, voted candidates first; returns one, for none of them, plus their sum. */
    private float sumOdds(int place) {
        int voted = candidates.end[place] - candidates.first[place];
        if (odds.length < voted + TargetRows.CANDIDATES_MAX) {
            odds = new float[2 * (voted + TargetRows.CANDIDATES_MAX)];
        }
        RankWeights weights = weights(place);
        float sum = 1;
        int at = 0;
        for (int candidate = candidates.first[place]; candidate < candidates.end[place]; candidate++) {
            float odd = Features.exponential(weights.voted(said[candidate], ranks[candidate]));
            odds[at++] = odd;
            sum += odd;
        }
        for (int unvoted = first[place]; unvoted < end[place]; unvoted++) {
            float odd = Features.exponential(weights.unvoted(left[place], unvotedRank[unvoted]));
            odds[at++] = odd;
            sum += odd;
        }
        return sum;
    }
}
