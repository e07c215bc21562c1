package io.tailrace.agent.engine;

import io.tailrace.suffix.draft.Draft;

/** A request's part in one step: what was drafted for it, and what it said then. Reused. */
final class Turn {
    /** Its place among the requests of the step; -1: it takes no part in one. */
    int place = -1;

    /** Most tokens that its draft may have; 0: none was wanted. */
    int wanted;

    Draft draft;
    long draftNanos;
    /** The request's length when it was drafted for. */
    int length;

    /** How many nodes of the draft the engine was given. */
    int handedNodes;

    /** Tokens said since, and how many nodes of the draft the engine says it has verified. */
    int said;

    int verifiedNodes;

    /** It takes part in the coming step. */
    void begin(int atPlace, int tokensMax, int lengthNow) {
        place = atPlace;
        wanted = tokensMax;
        length = lengthNow;
        handedNodes = 0;
        said = 0;
        verifiedNodes = 0;
    }

    /** It takes part in none. */
    void clear() {
        place = -1;
        draft = null;
        said = 0;
    }
}
