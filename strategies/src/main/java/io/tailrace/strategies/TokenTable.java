package io.tailrace.strategies;

import java.util.Arrays;

/** Token to number, in open addresses; cleared in O(1). Nothing is allocated once it has grown to its working size. */
final class TokenTable {
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

    /** The token's number, or {@code absent}. */
    int get(int token, int absent) {
        int slot = slot(token);
        return stamps[slot] == stamp ? values[slot] : absent;
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
