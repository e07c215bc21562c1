package io.tailrace.suffix.draft;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.SignedAnswers;
import io.tailrace.suffix.TokenSlots;
import io.tailrace.suffix.TokenText;
import java.util.Arrays;

/**
 * Copies of answers, each with the last tokens of its prompt's tail before it, and where they have each token: the answers added last first, and in
 * an answer its last place first. A place has to go on with a token of the answer: so tokens of a tail but its last have none.
 *
 * <p>Cost: a search visits the places of one token. Memory: 17 bytes a token, at most {@value #TOKENS_MAX} tokens an answer. Arrays are reused, but for large ones, which go with their request.
 */
public final class SimilarTexts implements TokenText {
    /** Of a tail so many are copied. */
    static final int TAIL_MAX = 3;
    /** Of an answer no more are copied. */
    static final int TOKENS_MAX = 4096;
    /** So many places of a token are visited at most. */
    static final int PLACES_MAX = 400;

    /** Most tokens of all copies together, with what ends each of them. */
    public static final int LENGTH_MAX = SimilarSearch.SIMILAR_MAX * (TAIL_MAX + TOKENS_MAX + 1);
    /** Most places that an answer goes on after. */
    public static final int PLACES_NOTED_MAX = SimilarSearch.SIMILAR_MAX * TOKENS_MAX;

    private static final int NONE = -1;
    private static final int TOKENS_FIRST = 1_024;
    /** Room for no more stays when a request is over. */
    private static final int TOKENS_KEPT = 16_384;

    private int[] text;
    /** The place of the same token before each. */
    private int[] earlier;
    /** Whose request is how similar, by place: 0 is the most similar. */
    private byte[] rank;
    /** Hash table with linear probing: the last place of each token. */
    private int[] latest;

    private int length;
    /** Of the places looked at, those with the longest matches, longest first. */
    private int[] bestPlaces = new int[16];

    private int[] bestMatches = new int[16];
    private int bestSize;

    SimilarTexts() {
        allocate();
    }

    private void allocate() {
        text = new int[TOKENS_FIRST];
        earlier = new int[TOKENS_FIRST];
        rank = new byte[TOKENS_FIRST];
        latest = new int[2 * TOKENS_FIRST];
        clear();
    }

    /** The request is over. */
    void reset() {
        if (text.length > TOKENS_KEPT) {
            allocate();
        } else {
            clear();
        }
    }

    void clear() {
        Arrays.fill(latest, NONE);
        length = 0;
    }

    boolean isEmpty() {
        return length == 0;
    }

    /** Copies an answer, whose request is the {@code rankOfRequest}-th most similar, from 0. */
    void add(SignedAnswers from, int document, int rankOfRequest) {
        int tail = from.tail(document);
        int answer = from.documentStart(document) + tail;
        int end = answer + TOKENS_MAX;
        int begin = length;
        for (int position = answer - Math.min(tail, TAIL_MAX); position < end; position++) {
            int token = from.token(position);
            if (token < 0) {
                break;
            }
            append(token, position >= answer);
        }
        append(TERMINATOR, false);
        Arrays.fill(rank, begin, length, (byte) rankOfRequest);
    }

    /** Notes the place before, if the answer goes on after it. */
    private void append(int token, boolean ofAnswer) {
        if (ofAnswer && length > 0 && text[length - 1] >= 0) {
            note(length - 1);
        }
        if (length == text.length) {
            text = Arrays.copyOf(text, 2 * length);
            earlier = Arrays.copyOf(earlier, 2 * length);
            rank = Arrays.copyOf(rank, 2 * length);
        }
        text[length++] = token;
    }

    private void note(int place) {
        if (2 * length > latest.length) {
            grow();
        }
        int slot = slot(text[place]);
        earlier[place] = latest[slot];
        latest[slot] = place;
    }

    private int slot(int token) {
        int mask = latest.length - 1;
        int slot = TokenSlots.slot(token, mask);
        while (latest[slot] != NONE && text[latest[slot]] != token) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] before = latest;
        latest = new int[2 * before.length];
        Arrays.fill(latest, NONE);
        for (int place : before) {
            if (place != NONE) {
                latest[slot(text[place])] = place;
            }
        }
    }

    /** Adds the places of the last token of {@code line[0..lineLength)}, those that match longest first. */
    void findLongest(int[] line, int lineLength, int countMax, Occurrences into) {
        bestSize = 0;
        int place = latest[slot(line[lineLength - 1])];
        for (int visited = 0; place != NONE && visited < PLACES_MAX; visited++) {
            offer(place, match(place, line, lineLength), countMax);
            place = earlier[place];
        }
        for (int i = 0; i < bestSize; i++) {
            into.add(this, bestPlaces[i], bestMatches[i], SourceKind.SIMILAR.index());
        }
    }

    /**
     * Adds the first places of the last token of {@code line[0..lineLength)}, the context's end and {@code ahead} tokens of a draft; places and
     * match lengths are given as seen {@code ahead} tokens before.
     */
    void findFirst(int[] line, int lineLength, int ahead, int countMax, Occurrences into) {
        int place = latest[slot(line[lineLength - 1])];
        for (int added = 0; place != NONE && added < countMax; added++) {
            into.add(this, place - ahead, match(place, line, lineLength) - ahead, SourceKind.SIMILAR.index());
            place = earlier[place];
        }
    }

    private void offer(int place, int match, int countMax) {
        if (bestSize == countMax && match <= bestMatches[bestSize - 1]) {
            return;
        }
        if (bestSize == bestPlaces.length) {
            bestPlaces = Arrays.copyOf(bestPlaces, 2 * bestSize);
            bestMatches = Arrays.copyOf(bestMatches, 2 * bestSize);
        }
        int at = Math.min(bestSize, countMax - 1);
        for (; at > 0 && bestMatches[at - 1] < match; at--) {
            bestPlaces[at] = bestPlaces[at - 1];
            bestMatches[at] = bestMatches[at - 1];
        }
        bestPlaces[at] = place;
        bestMatches[at] = match;
        bestSize = Math.min(bestSize + 1, countMax);
    }

    private int match(int place, int[] line, int lineLength) {
        int most = Math.min(OccurrenceIndex.MATCH_LENGTH_MAX, Math.min(place + 1, lineLength));
        int match = 1;
        while (match < most && text[place - match] == line[lineLength - 1 - match]) {
            match++;
        }
        return match;
    }

    /**
     * How long the copies are together.
     *
     * @return tokens, with a terminator behind each answer
     */
    public int length() {
        return length;
    }

    /**
     * The last place of each token that has one.
     *
     * @return places, in no order
     */
    public int[] latest() {
        return Arrays.stream(latest).filter(place -> place != NONE).toArray();
    }

    /**
     * The place of the same token before one, in the order of visits.
     *
     * @param place one of {@link #latest}, or of these before it
     * @return a place, or -1
     */
    public int earlier(int place) {
        return earlier[place];
    }

    /**
     * Whose request is how similar.
     *
     * @param place a place in its answer
     * @return the request's rank; 0: the most similar
     */
    public int rank(int place) {
        return rank[place];
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < length ? text[position] : TERMINATOR;
    }
}
