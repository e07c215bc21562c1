package io.tailrace.strategies;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.Arrays;

/**
 * A request's tokens so far, with all places of each token chained: every earlier occurrence of the context's end, not only
 * the latest of each length. Eight bytes a token, and the head of each chain in a table of open addresses.
 *
 * <p>Cost: an append writes two ints; a search visits every place of the last token.
 */
final class OwnPlaces implements TokenText {
    private static final int NONE = -1;

    private final TokenTable latest = new TokenTable();
    private int[] tokens = new int[1024];
    private int[] earlier = new int[1024];
    private int length;

    void reset() {
        length = 0;
        latest.clear();
    }

    void append(int token) {
        if (token < 0) {
            throw new IllegalArgumentException("token must be >= 0, got " + token);
        }
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * length);
            earlier = Arrays.copyOf(earlier, 2 * length);
        }
        tokens[length] = token;
        earlier[length] = latest.put(token, length, NONE);
        length++;
    }

    int length() {
        return length;
    }

    /** Valid up to {@link #length()}, until the next append. */
    int[] tokens() {
        return tokens;
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < length ? tokens[position] : TERMINATOR;
    }

    /** Adds every earlier occurrence of the last token, latest first, with how far it matches, at most {@code matchMax}. */
    void find(int matchMax, int source, Occurrences into) {
        if (length == 0) {
            return;
        }
        for (int place = earlier[length - 1]; place != NONE; place = earlier[place]) {
            into.add(this, place, match(place, matchMax), source);
        }
    }

    private int match(int place, int matchMax) {
        int most = Math.min(matchMax, place + 1);
        int match = 1;
        while (match < most && tokens[place - match] == tokens[length - 1 - match]) {
            match++;
        }
        return match;
    }

    /** Token to number, in open addresses; cleared in O(1). Nothing is allocated once it has grown to its working size. */
    private static final class TokenTable {
        private int[] tokens = new int[64];
        private int[] values = new int[64];
        /** A slot is taken if its stamp is the present one. */
        private int[] stamps = new int[64];

        private int stamp = 1;
        private int size;

        void clear() {
            size = 0;
            stamp++;
            if (stamp == 0) {
                Arrays.fill(stamps, 0);
                stamp = 1;
            }
        }

        /** Gives the token a number; returns the one it had, or {@code absent}. */
        int put(int token, int value, int absent) {
            int slot = slot(token);
            if (stamps[slot] == stamp) {
                int before = values[slot];
                values[slot] = value;
                return before;
            }
            stamps[slot] = stamp;
            tokens[slot] = token;
            values[slot] = value;
            if (2 * ++size > stamps.length) {
                grow();
            }
            return absent;
        }

        private int slot(int token) {
            int mask = stamps.length - 1;
            int slot = ((token * 0x9E3779B1) >>> 7) & mask;
            while (stamps[slot] == stamp && tokens[slot] != token) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }

        private void grow() {
            int[] oldTokens = tokens;
            int[] oldValues = values;
            int[] oldStamps = stamps;
            tokens = new int[2 * oldTokens.length];
            values = new int[2 * oldTokens.length];
            stamps = new int[2 * oldTokens.length];
            for (int i = 0; i < oldTokens.length; i++) {
                if (oldStamps[i] == stamp) {
                    int slot = slot(oldTokens[i]);
                    stamps[slot] = stamp;
                    tokens[slot] = oldTokens[i];
                    values[slot] = oldValues[i];
                }
            }
        }
    }
}
