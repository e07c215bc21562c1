package io.tailrace.suffix.draft;

import java.util.Arrays;

/**
 * The candidates of all nodes of one draft, and what the mixer needs to judge them and to learn from them later: flat
 * arrays, reused from draft to draft.
 *
 * <p>A place is where candidates stand: place 0 is the context's end, place i + 1 is node i. Votes are counted as
 * {@link Features} describes, for each candidate and for the whole place.
 */
final class Candidates {
    /** Before every position; those of voters that joined at a node may be negative. */
    static final int NO_POSITION = Integer.MIN_VALUE;

    private static final int OWN = SourceKind.OWN.index();
    private static final int SAID = SourceKind.SAID.index();
    private static final int OLDER = SourceKind.OLDER.index();
    private static final int NEWEST = SourceKind.NEWEST.index();
    private static final int FRESH = SourceKind.FRESH.index();
    private static final int SIMILAR = SourceKind.SIMILAR.index();

    private static final int PLACES = DraftPolicy.BUDGET_MAX + 1;
    private static final long COUNT_MASK = 0xff;
    private static final int SLOTS_LOG = 9;
    private static final int SLOT_MASK = (1 << SLOTS_LOG) - 1;

    int[] token = new int[256];
    /** Longest match among the voters, counting the path. */
    int[] match = new int[256];
    /** The first voter with that match. */
    int[] bestVoter = new int[256];
    /** Latest position among its own-context voters, or {@link #NO_POSITION}. */
    int[] latestOwn = new int[256];
    /** First and last of its voters, linked through the voters' own list. */
    int[] firstVoter = new int[256];

    int[] lastVoter = new int[256];
    int[] place = new int[256];
    /** The node it was drafted as, or -1. */
    int[] node = new int[256];
    /** Probability of the whole path to it. */
    float[] probability = new float[256];
    /** Its votes, {@link Features#POLLS} longs for each candidate. */
    long[] votes = new long[256 * Features.POLLS];
    /** Its inputs that are no votes, {@link Features#SCALARS} for each candidate. */
    float[] scalars = new float[256 * Features.SCALARS];
    /** The weight set that it chooses itself. */
    int[] tokenSet = new int[256];

    int size;

    final int[] first = new int[PLACES];
    final int[] end = new int[PLACES];
    /** Tokens of the draft that lead to the place. */
    final int[] depth = new int[PLACES];
    /** Longest match among all voters of the place, counting the path. */
    final int[] longest = new int[PLACES];
    /** Latest position among the place's own-context voters, or {@link #NO_POSITION}. */
    final int[] latest = new int[PLACES];
    /** All votes of the place, {@link Features#POLLS} longs for each. */
    final long[] totals = new long[PLACES * Features.POLLS];

    /** By a hash of the token: a candidate, behind the number of the opening that it belongs to; of other openings: none. */
    private final long[] slots = new long[1 << SLOTS_LOG];

    private int openings;

    void clear() {
        size = 0;
    }

    /** Opens a place for candidates, which are added one after the other. */
    void open(int newPlace, int atDepth) {
        openings++;
        first[newPlace] = size;
        end[newPlace] = size;
        depth[newPlace] = atDepth;
        longest[newPlace] = 0;
        latest[newPlace] = NO_POSITION;
        clear(totals, newPlace);
    }

    /** Adds a candidate to the place opened last. */
    int add(int atPlace, int candidateToken) {
        if (size == token.length) {
            grow();
        }
        token[size] = candidateToken;
        match[size] = 0;
        bestVoter[size] = -1;
        latestOwn[size] = NO_POSITION;
        firstVoter[size] = -1;
        lastVoter[size] = -1;
        place[size] = atPlace;
        node[size] = -1;
        clear(votes, size);
        end[atPlace] = size + 1;
        return size++;
    }

    /** The candidate of the place opened last that carries a token; a new one, if there is none yet. */
    int findOrAdd(int atPlace, int wanted) {
        if (size - first[atPlace] >= SLOT_MASK) {
            int known = find(atPlace, wanted);
            return known < 0 ? add(atPlace, wanted) : known;
        }
        int slot = (wanted * 0x9E3779B1) >>> (Integer.SIZE - SLOTS_LOG);
        while ((int) (slots[slot] >>> Integer.SIZE) == openings) {
            int candidate = (int) slots[slot];
            if (token[candidate] == wanted) {
                return candidate;
            }
            slot = (slot + 1) & SLOT_MASK;
        }
        slots[slot] = (long) openings << Integer.SIZE | size;
        return add(atPlace, wanted);
    }

    /** A loop of its own: so few longs are dearer to hand to {@link Arrays#fill}. */
    private static void clear(long[] counts, int of) {
        int from = of * Features.POLLS;
        for (int poll = 0; poll < Features.POLLS; poll++) {
            counts[from + poll] = 0;
        }
    }

    /** The candidate of a place that carries a token, or -1. */
    int find(int atPlace, int wanted) {
        for (int candidate = first[atPlace]; candidate < end[atPlace]; candidate++) {
            if (token[candidate] == wanted) {
                return candidate;
            }
        }
        return -1;
    }

    boolean isEmpty(int atPlace) {
        return first[atPlace] == end[atPlace];
    }

    /** How many voters of its own context a candidate has. */
    int ownVotes(int candidate) {
        return votes(candidate, OWN) + votes(candidate, SAID);
    }

    /** How many voters a candidate has that match what others were answered. */
    int sharedVotes(int candidate) {
        return votes(candidate, OLDER) + votes(candidate, NEWEST) + votes(candidate, FRESH) + similarVotes(candidate);
    }

    int similarVotes(int candidate) {
        return votes(candidate, SIMILAR);
    }

    private int votes(int candidate, int source) {
        return (int) (votes[candidate * Features.POLLS + source] & COUNT_MASK);
    }

    int lengthSet(int atPlace) {
        return Features.lengthSet(longest[atPlace]);
    }

    int crowdSet(int atPlace) {
        int at = atPlace * Features.POLLS;
        long own = totals[at + OWN] | totals[at + SAID];
        long shared = totals[at + OLDER] | totals[at + NEWEST] | totals[at + FRESH] | totals[at + SIMILAR];
        return Features.crowdSet(end[atPlace] - first[atPlace], own != 0, shared != 0);
    }

    private void grow() {
        int capacity = size * 2;
        token = Arrays.copyOf(token, capacity);
        match = Arrays.copyOf(match, capacity);
        bestVoter = Arrays.copyOf(bestVoter, capacity);
        latestOwn = Arrays.copyOf(latestOwn, capacity);
        firstVoter = Arrays.copyOf(firstVoter, capacity);
        lastVoter = Arrays.copyOf(lastVoter, capacity);
        place = Arrays.copyOf(place, capacity);
        node = Arrays.copyOf(node, capacity);
        probability = Arrays.copyOf(probability, capacity);
        votes = Arrays.copyOf(votes, capacity * Features.POLLS);
        scalars = Arrays.copyOf(scalars, capacity * Features.SCALARS);
        tokenSet = Arrays.copyOf(tokenSet, capacity);
    }
}
