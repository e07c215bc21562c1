package io.tailrace.client.draft.internal;

import io.tailrace.suffix.draft.Drafter;

/** A drafter with its room: as much as the longest of its contexts took, for its arrays stay as large. One thread. */
final class HousedDrafter {
    private final Drafter drafter;
    private final ContextRoom room;
    private int roomTokens;
    private int contextTokens;

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

    /** It has room for a context of so many tokens, taken by whoever says so. */
    void housed(int tokens) {
        roomTokens = Math.max(roomTokens, tokens);
    }

    /** A request begins, for whose prompt it has room. */
    void begin(int[] prompt) {
        drafter.begin(prompt, prompt.length);
        contextTokens = prompt.length;
    }

    /** The request's context has grown. */
    void grow(int count) {
        contextTokens += count;
        if (contextTokens > roomTokens) {
            room.grow(contextTokens - roomTokens);
            roomTokens = contextTokens;
        }
    }

    /** Nobody uses it any more. */
    void leave() {
        room.giveBack(roomTokens);
        roomTokens = 0;
    }
}
