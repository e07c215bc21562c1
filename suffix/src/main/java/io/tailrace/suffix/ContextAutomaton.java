package io.tailrace.suffix;

import java.util.Arrays;

/**
 * Suffix automaton of one request's tokens so far.
 *
 * <p>Idea (Blumer et al. 1985; SAM-Decoding, section 3.2): a state stands for all substrings that end at the same set of
 * places; its suffix link leads to the longest of its suffixes that ends at more places. The links from the state of the
 * whole context therefore pass, from the longest match to the shortest, every suffix of the context that occurred
 * before. Each state keeps the latest place where it ended, so the walk gives occurrences at once.
 *
 * <p>Layout: a state is a record of eight ints in one array (length, link, latest end, first edge's token and target,
 * list of further edges), an edge a record of four. Most states have one edge only, which lives in the state's record;
 * further edges are found by an open-addressing table over (state, token) and listed for cloning.
 *
 * <p>Cost: append is amortised O(1), and so is an occurrence. A context of n tokens has at most 2n states and 3n edges: at
 * most 64 bytes a token for states and 16 for each further edge. Nothing is allocated once the arrays have grown to the
 * longest context met; {@link #reset} keeps them. An append refreshes the latest ends of the {@value #LINKS_REFRESHED_MAX}
 * longest suffixes only, so that repetitive contexts stay linear: beyond that a state's place may be an earlier one than
 * the latest, never a wrong one.
 *
 * <p>Not thread-safe: one owner.
 */
public final class ContextAutomaton implements TokenText {
    /** Longest context. */
    public static final int LENGTH_MAX = 1 << 26;

    static final int LINKS_REFRESHED_MAX = 32;

    private static final int NONE = -1;
    private static final int ROOT = 0;
    private static final int EMPTY_SLOT = 0;
    private static final int SLOTS_MIN = 256;
    private static final int TOKENS_MIN = 64;

    private static final int STATE_INTS_LOG = 3;
    private static final int LENGTH = 0;
    private static final int LINK = 1;
    private static final int LAST = 2;
    private static final int FIRST_TOKEN = 3;
    private static final int FIRST_TARGET = 4;
    private static final int EDGES = 5;

    private static final int EDGE_INTS_LOG = 2;
    private static final int OWNER = 0;
    private static final int TOKEN = 1;
    private static final int TARGET = 2;
    private static final int NEXT = 3;

    private int[] tokens = new int[TOKENS_MIN];
    private int[] tails = new int[TOKENS_MIN];
    private int length;

    private int[] states = new int[(2 * TOKENS_MIN) << STATE_INTS_LOG];
    private int stateCount;
    private int tail;

    private int[] edges = new int[TOKENS_MIN << EDGE_INTS_LOG];
    private int edgeCount;
    private int[] slots = new int[SLOTS_MIN];
    private int slotMask = SLOTS_MIN - 1;

    /** An empty context. */
    public ContextAutomaton() {
        reset();
    }

    /** Forgets the context; keeps the memory for the next one. */
    public void reset() {
        length = 0;
        stateCount = 0;
        edgeCount = 0;
        slotMask = SLOTS_MIN - 1;
        Arrays.fill(slots, 0, SLOTS_MIN, EMPTY_SLOT);
        tail = newState(0, NONE, NONE);
    }

    /**
     * Extends the context by one token, which must not be negative.
     *
     * @param token a token id
     */
    public void append(int token) {
        if (token < 0) {
            throw new IllegalArgumentException("token must be >= 0, got " + token);
        }
        ensureRoom();
        refreshLastEnds();
        int current = newState(length + 1, ROOT, length);
        int state = tail;
        int target = NONE;
        while (state != NONE) {
            target = follow(state, token);
            if (target != NONE) {
                break;
            }
            addEdge(state, token, current);
            state = get(state, LINK);
        }
        if (state != NONE) {
            set(current, LINK, suffixState(state, token, target));
        }
        tokens[length] = token;
        tails[length] = current;
        tail = current;
        length++;
    }

    /** {@return how many tokens the context has} */
    public int length() {
        return length;
    }

    /**
     * The tokens so far; valid up to {@link #length()}, until the next append.
     *
     * @return the array in use: not to be written to
     */
    public int[] tokens() {
        return tokens;
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < length ? tokens[position] : TERMINATOR;
    }

    /**
     * Earlier occurrences of the context's end, along the suffix links: longest first, the latest place of each state.
     *
     * @param countMax most occurrences to add
     * @param source what they are noted as: {@link io.tailrace.suffix.draft.SourceKind#index()}
     * @param into where they are added
     * @return how many were added
     */
    public int occurrences(int countMax, int source, Occurrences into) {
        int added = 0;
        int state = get(tail, LINK);
        while (state > ROOT && added < countMax) {
            into.add(this, get(state, LAST), matchLength(state), source);
            added++;
            state = get(state, LINK);
        }
        return added;
    }

    /**
     * Occurrences of the context without its last {@code gap} tokens, shifted by the gap: the token after the match differs
     * from the context's, the text may go on alike after the gap. Matches of at least {@code matchLengthMin}, longest first;
     * for each match the latest place of each different token that followed it, unless that place lies within the last
     * {@code gap} tokens.
     *
     * @param gap tokens to leave out, at least 1
     * @param matchLengthMin shorter matches are left out
     * @param countMax most occurrences to add
     * @param source what they are noted as: {@link io.tailrace.suffix.draft.SourceKind#index()}
     * @param into where they are added
     * @return how many were added
     */
    public int gappedOccurrences(int gap, int matchLengthMin, int countMax, int source, Occurrences into) {
        if (gap < 1) {
            throw new IllegalArgumentException("gap must be >= 1, got " + gap);
        }
        int end = length - 1 - gap;
        if (end < 0) {
            return 0;
        }
        int first = into.size();
        int state = get(tails[end], LINK);
        while (state > ROOT && get(state, LENGTH) >= matchLengthMin && into.size() - first < countMax) {
            addDivergences(state, gap, first, countMax, source, into);
            state = get(state, LINK);
        }
        return into.size() - first;
    }

    private void addDivergences(int state, int gap, int first, int countMax, int source, Occurrences into) {
        int taken = tokens[length - gap];
        int edge = get(state, EDGES);
        while (edge != NONE && into.size() - first < countMax) {
            int at = edge << EDGE_INTS_LOG;
            if (edges[at + TOKEN] != taken) {
                addShifted(state, edges[at + TARGET], gap, first, source, into);
            }
            edge = edges[at + NEXT];
        }
        int token = get(state, FIRST_TOKEN);
        if (token != taken && token != NONE && into.size() - first < countMax) {
            addShifted(state, get(state, FIRST_TARGET), gap, first, source, into);
        }
    }

    private void addShifted(int state, int diverged, int gap, int first, int source, Occurrences into) {
        int position = get(diverged, LAST) + gap - 1;
        if (position >= length - 1) {
            return;
        }
        for (int i = first; i < into.size(); i++) {
            if (into.position(i) == position) {
                return;
            }
        }
        into.add(this, position, matchLength(state), source);
    }

    private int matchLength(int state) {
        return Math.min(get(state, LENGTH), OccurrenceIndex.MATCH_LENGTH_MAX);
    }

    /** The state whose longest string is the longest suffix of the new context that occurred before. */
    private int suffixState(int state, int token, int target) {
        int wanted = get(state, LENGTH) + 1;
        if (get(target, LENGTH) == wanted) {
            return target;
        }
        int clone = cloneOf(target, wanted);
        int redirected = state;
        while (redirected != NONE && redirect(redirected, token, target, clone)) {
            redirected = get(redirected, LINK);
        }
        set(target, LINK, clone);
        return clone;
    }

    private int cloneOf(int state, int cloneLength) {
        int clone = newState(cloneLength, get(state, LINK), get(state, LAST));
        set(clone, FIRST_TOKEN, get(state, FIRST_TOKEN));
        set(clone, FIRST_TARGET, get(state, FIRST_TARGET));
        for (int edge = get(state, EDGES); edge != NONE; ) {
            int at = edge << EDGE_INTS_LOG;
            addFurtherEdge(clone, edges[at + TOKEN], edges[at + TARGET]);
            edge = edges[at + NEXT];
        }
        return clone;
    }

    /** Until now the current end was left out of the latest ends, so that it is never its own occurrence. */
    private void refreshLastEnds() {
        int state = get(tail, LINK);
        for (int i = 0; state > ROOT && i < LINKS_REFRESHED_MAX; i++) {
            set(state, LAST, length - 1);
            state = get(state, LINK);
        }
    }

    private int follow(int state, int token) {
        int at = state << STATE_INTS_LOG;
        if (states[at + FIRST_TOKEN] == token) {
            return states[at + FIRST_TARGET];
        }
        if (states[at + EDGES] == NONE) {
            return NONE;
        }
        int edge = findEdge(state, token);
        return edge == NONE ? NONE : edges[(edge << EDGE_INTS_LOG) + TARGET];
    }

    private boolean redirect(int state, int token, int from, int to) {
        if (get(state, FIRST_TOKEN) == token) {
            boolean matches = get(state, FIRST_TARGET) == from;
            if (matches) {
                set(state, FIRST_TARGET, to);
            }
            return matches;
        }
        int edge = findEdge(state, token);
        int at = edge << EDGE_INTS_LOG;
        if (edge == NONE || edges[at + TARGET] != from) {
            return false;
        }
        edges[at + TARGET] = to;
        return true;
    }

    private void addEdge(int state, int token, int target) {
        int at = state << STATE_INTS_LOG;
        if (states[at + FIRST_TOKEN] == NONE) {
            states[at + FIRST_TOKEN] = token;
            states[at + FIRST_TARGET] = target;
        } else {
            addFurtherEdge(state, token, target);
        }
    }

    private void addFurtherEdge(int state, int token, int target) {
        if (2 * (edgeCount + 1) > slotMask + 1) {
            growSlots();
        }
        if ((edgeCount + 1) << EDGE_INTS_LOG > edges.length) {
            edges = Arrays.copyOf(edges, 2 * edges.length);
        }
        int at = edgeCount << EDGE_INTS_LOG;
        edges[at + OWNER] = state;
        edges[at + TOKEN] = token;
        edges[at + TARGET] = target;
        edges[at + NEXT] = get(state, EDGES);
        set(state, EDGES, edgeCount);
        enterSlot(edgeCount);
        edgeCount++;
    }

    private int findEdge(int state, int token) {
        for (int slot = TokenSlots.slot(state, token, slotMask); ; slot = (slot + 1) & slotMask) {
            int entry = slots[slot];
            if (entry == EMPTY_SLOT) {
                return NONE;
            }
            int at = (entry - 1) << EDGE_INTS_LOG;
            if (edges[at + OWNER] == state && edges[at + TOKEN] == token) {
                return entry - 1;
            }
        }
    }

    private void enterSlot(int edge) {
        int at = edge << EDGE_INTS_LOG;
        int slot = TokenSlots.slot(edges[at + OWNER], edges[at + TOKEN], slotMask);
        while (slots[slot] != EMPTY_SLOT) {
            slot = (slot + 1) & slotMask;
        }
        slots[slot] = edge + 1;
    }

    private void growSlots() {
        int capacity = 2 * (slotMask + 1);
        if (capacity > slots.length) {
            slots = new int[capacity];
        } else {
            Arrays.fill(slots, 0, capacity, EMPTY_SLOT);
        }
        slotMask = capacity - 1;
        for (int edge = 0; edge < edgeCount; edge++) {
            enterSlot(edge);
        }
    }

    private int newState(int stateLength, int link, int last) {
        int at = stateCount << STATE_INTS_LOG;
        states[at + LENGTH] = stateLength;
        states[at + LINK] = link;
        states[at + LAST] = last;
        states[at + FIRST_TOKEN] = NONE;
        states[at + EDGES] = NONE;
        return stateCount++;
    }

    private void ensureRoom() {
        if (length == tokens.length) {
            if (length >= LENGTH_MAX) {
                throw new IllegalStateException("context must be at most " + LENGTH_MAX + " tokens long");
            }
            tokens = Arrays.copyOf(tokens, 2 * length);
            tails = Arrays.copyOf(tails, 2 * length);
        }
        if ((stateCount + 2) << STATE_INTS_LOG > states.length) {
            states = Arrays.copyOf(states, 2 * states.length);
        }
    }

    private int get(int state, int field) {
        return states[(state << STATE_INTS_LOG) + field];
    }

    private void set(int state, int field, int value) {
        states[(state << STATE_INTS_LOG) + field] = value;
    }

    /** Checks what the structure promises; for tests: linear in the number of states. */
    void checkInvariants() {
        check(stateCount <= Math.max(2 * length, 1) + 1, "too many states: " + stateCount);
        check(get(ROOT, LINK) == NONE && get(ROOT, LENGTH) == 0, "root has a link or a length");
        for (int state = 1; state < stateCount; state++) {
            int link = get(state, LINK);
            check(link >= ROOT && get(link, LENGTH) < get(state, LENGTH), "link of state " + state + " is not shorter");
            check(get(state, LAST) < length, "state " + state + " ends outside the context");
        }
    }

    private static void check(boolean holds, String broken) {
        if (!holds) {
            throw new IllegalStateException(broken);
        }
    }
}
