package io.tailrace.e2e.engine;

import java.util.Random;
import java.util.stream.Collectors;

/**
 * What an engine is asked.
 *
 * @param prompt a token each character
 * @param tokens of the answer
 */
record Question(String prompt, int tokens) {
    /** A question that nobody has asked before. */
    static Question random(Random random, int promptTokens, int tokens) {
        return new Question(
                random.ints(promptTokens, 'a', 'z' + 1)
                        .mapToObj(letter -> String.valueOf((char) letter))
                        .collect(Collectors.joining()),
                tokens);
    }
}
