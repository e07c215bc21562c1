package io.tailrace.lab.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One kind of agent of one tenant. */
interface Workload {
    /** Name in tables and in request ids. */
    String name();

    /** The turns of the next session, at least one. */
    List<Turn> session(SplittableRandom random);

    /**
     * One request of a session and its answer.
     *
     * @param prompt the full prompt: earlier turns too
     * @param response ends with the end-of-turn id
     */
    record Turn(int[] prompt, int[] response) {}

    /** Builds a session's turns: each prompt holds every turn before it. */
    static final class SessionTurns {
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
}
