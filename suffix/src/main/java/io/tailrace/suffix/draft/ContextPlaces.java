package io.tailrace.suffix.draft;

import io.tailrace.suffix.ContextAutomaton;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.Arrays;

/**
 * Where the own context has each token: its places, newest first, and how many.
 *
 * <p>The automaton's links give one place for each match length, the longest matches first; what they leave out is breadth:
 * the many places that share only the last token or two, and say what else may come. A chain through the earlier places of a
 * token (as in LZ77 compressors) gives those, for any token: so also for the end of a drafted path.
 *
 * <p>Chains are of hash buckets. A token of which {@value #STEPS_MAX} places of others stand before in its chain counts as one that the context
 * does not have. Cost: an append writes two ints and a byte; a search visits at most {@value #STEPS_MAX} places of the chain. Memory: five bytes
 * a token of the context and 64 KiB.
 */
final class ContextPlaces {
    static final int NONE = -1;
    /** Counts stop here. */
    static final int COUNT_MAX = 255;

    private static final int STEPS_MAX = 64;
    private static final int BUCKETS_LOG = 14;
    /** So many tokens back a place is near. */
    private static final int NEAR_TOKENS = 100;

    private final ContextAutomaton own;
    private final int[] latest = new int[1 << BUCKETS_LOG];
    private int[] earlier = new int[1024];
    /** Of each place: how many places of its token there are up to it. */
    private byte[] counts = new byte[1024];

    private int length;
    private int answerFrom;

    /** The places of a context that is read in step with {@code own}. */
    ContextPlaces(ContextAutomaton own) {
        this.own = own;
        reset();
    }

    void reset() {
        Arrays.fill(latest, NONE);
        length = 0;
        answerFrom = Integer.MAX_VALUE;
    }

    /** What is appended from now on is the request's own answer. */
    void beginAnswer() {
        answerFrom = length;
    }

    /** Takes in the context's last token. */
    void append(int token) {
        if (length == earlier.length) {
            earlier = Arrays.copyOf(earlier, 2 * length);
            counts = Arrays.copyOf(counts, 2 * length);
        }
        int before = latest(token);
        counts[length] = (byte) (before == NONE ? 1 : Math.min(COUNT_MAX, count(before) + 1));
        int bucket = bucket(token);
        earlier[length] = latest[bucket];
        latest[bucket] = length++;
    }

    /** The latest place of a token, or {@link #NONE}. */
    int latest(int token) {
        int[] tokens = own.tokens();
        int place = latest[bucket(token)];
        for (int steps = 1; place != NONE && tokens[place] != token; steps++) {
            place = steps == STEPS_MAX ? NONE : earlier[place];
        }
        return place;
    }

    /** How many places of its token there are up to a place, at most {@link #COUNT_MAX}. */
    int count(int place) {
        return counts[place] & COUNT_MAX;
    }

    boolean isNear(int place) {
        return length - place <= NEAR_TOKENS;
    }

    /** True if the request's own answer stands there, not its prompt. */
    boolean isAnswer(int place) {
        return place >= answerFrom;
    }

    /**
     * Adds the latest places of the last token of {@code line[0..lineLength)} that the context goes on after. The line is the
     * context's end and {@code ahead} tokens of a draft; places and match lengths are given as seen {@code ahead} tokens
     * before, where the draft began.
     */
    void find(int[] line, int lineLength, int ahead, int countMax, int source, Occurrences into) {
        int[] tokens = own.tokens();
        int token = line[lineLength - 1];
        int added = 0;
        int place = latest[bucket(token)];
        for (int steps = 0; place != NONE && added < countMax && steps < STEPS_MAX; steps++) {
            if (tokens[place] == token && place < length - 1) {
                int match = match(tokens, place, line, lineLength);
                into.add(
                        own,
                        place - ahead,
                        match - ahead,
                        source,
                        ahead == 0 ? tokens[place + 1] : TokenText.TERMINATOR);
                added++;
            }
            place = earlier[place];
        }
    }

    private static int match(int[] tokens, int place, int[] line, int lineLength) {
        int most = Math.min(OccurrenceIndex.MATCH_LENGTH_MAX, Math.min(place + 1, lineLength));
        int match = 1;
        while (match < most && tokens[place - match] == line[lineLength - 1 - match]) {
            match++;
        }
        return match;
    }

    private static int bucket(int token) {
        return (token * 0x9E3779B1) >>> (32 - BUCKETS_LOG);
    }
}
