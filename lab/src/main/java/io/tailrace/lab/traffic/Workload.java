package io.tailrace.lab.traffic;

import java.util.ArrayList;
import java.util.Arrays;
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
    static final class Session {
        private final List<Workload.Turn> turns = new ArrayList<>();
        private final TokenWriter history = new TokenWriter();

        /** Adds a turn: what is said to the model, then what it answers. */
        Session turn(TokenWriter said, TokenWriter answered) {
            history.ids(said.toArray()).write("<assistant>");
            int[] response = answered.write("<end>").toArray();
            turns.add(new Workload.Turn(history.toArray(), response));
            history.ids(response);
            return this;
        }

        /** The harness sends the last request again, after a timeout for instance, and gets the same answer. */
        Session retryLast() {
            turns.add(turns.get(turns.size() - 1));
            return this;
        }

        List<Workload.Turn> turns() {
            return turns;
        }
    }

    /** Draws ranks 0 to n - 1, rank r with a weight of 1 / (r + 1)^exponent: few things are common, most are rare. */
    static final class Zipf {
        private final double[] cumulative;

        Zipf(int n, double exponent) {
            if (n < 1) {
                throw new IllegalArgumentException("n must be at least 1, got " + n);
            }
            cumulative = new double[n];
            double sum = 0;
            for (int rank = 0; rank < n; rank++) {
                sum += Math.pow(rank + 1.0, -exponent);
                cumulative[rank] = sum;
            }
        }

        int draw(SplittableRandom random) {
            int found = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
            return Math.min(found < 0 ? -found - 1 : found, cumulative.length - 1);
        }
    }
}
