package io.tailrace.client.draft.internal;

import io.tailrace.suffix.draft.Drafter;

/** A drafter with its room: as much as it took with the longest of its contexts, for its arrays stay as large. One thread. */
final class HousedDrafter {
    private final Drafter drafter;
    private final ContextRoom room;
    private int roomTokens;
    private int tokens;

    HousedDrafter(Drafter drafter, ContextRoom room) {
        this.drafter = drafter;
        this.room = room;
    }

    Drafter drafter() {
        return drafter;
    }

    /** What it has taken of the room. */
    int roomTokens() {
        return roomTokens;
    }

    /** It has room for so many tokens, taken by whoever says so. */
    void housed(int tokens) {
        roomTokens = Math.max(roomTokens, tokens);
    }

    /** A request begins, for whose prompt it has room. */
    void begin(int[] prompt) {
        drafter.begin(prompt, prompt.length);
        tokens = room.ofDrafter(prompt.length);
    }

    /** The request's context has grown. */
    void grow(int count) {
        tokens += count;
        if (tokens > roomTokens) {
            room.grow(tokens - roomTokens);
            roomTokens = tokens;
        }
    }

    /** Nobody uses it any more. */
    void leave() {
        room.giveBack(roomTokens);
        roomTokens = 0;
    }
}
