package io.tailrace.lab.traffic;

import java.util.ArrayList;
import java.util.List;

/** Builds a session's turns: each prompt holds every turn before it. */
final class SessionTurns {
    private final List<Turn> turns = new ArrayList<>();
    private final TokenWriter history = new TokenWriter();

    /** Adds a turn: what is said to the model, then what it answers. */
    SessionTurns turn(TokenWriter said, TokenWriter answered) {
        history.ids(said.toArray()).write("<assistant>");
        int[] response = answered.write("<end>").toArray();
        turns.add(new Turn(history.toArray(), response));
        history.ids(response);
        return this;
    }

    /** The harness sends the last request again, after a timeout for instance, and gets the same answer. */
    SessionTurns retryLast() {
        turns.add(turns.get(turns.size() - 1));
        return this;
    }

    List<Turn> turns() {
        return turns;
    }
}
