package io.tailrace.e2e.engine;

import io.tailrace.lab.engine.EngineAnswer;
import java.util.List;

/**
 * A question and its answer, as the client got it.
 *
 * @param engine that answered
 * @param truth what vLLM answers without Tailrace
 * @param atNanos when the client had it
 */
record Answered(String engine, Question question, EngineAnswer answer, List<Integer> truth, long atNanos) {
    boolean differs() {
        return !answer.tokens().equals(truth);
    }
}
