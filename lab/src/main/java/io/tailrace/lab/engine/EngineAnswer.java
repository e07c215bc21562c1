package io.tailrace.lab.engine;

import java.util.List;

/**
 * An answer as its client got it.
 *
 * @param id of the request, as the engine tells its client
 * @param tokens of the answer
 */
public record EngineAnswer(String id, List<Integer> tokens) {
    public EngineAnswer {
        tokens = List.copyOf(tokens);
    }
}
