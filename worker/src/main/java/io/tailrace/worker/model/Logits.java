package io.tailrace.worker.model;

import java.util.Optional;
import java.util.function.IntBinaryOperator;

/**
 * The logits of one pass, by input (its place in the batch) and node; only of nodes from the input's {@code rowsFrom} on. They
 * may lie on another device: {@link #argmax} brings back a number, {@link #copy} a whole vocabulary.
 *
 * <p>All methods throw {@link IllegalStateException} once the model has begun another pass or is closed, and
 * {@link IndexOutOfBoundsException} for a node without logits.
 */
public interface Logits {
    /** Where they lie, for who can read them in place; empty where that is not to be had. */
    default Optional<Memory> memory() {
        return Optional.empty();
    }

    /** The likeliest token after a node; of equals the lowest id. */
    int argmax(int input, int node);

    /** Copies a node's logits, one a token id, to the front of {@code into}. */
    void copy(int input, int node, float[] into);

    /**
     * The likeliest tokens after a node, best first; equals in any order.
     *
     * @param tokens filled to its length, which must be 1 to the vocabulary size
     * @param logits filled with their logits; at least as long as {@code tokens}
     */
    void top(int input, int node, int[] tokens, float[] logits);

    /**
     * Where the logits of a pass lie: rows of floats without gaps, until the model's next pass.
     *
     * @param device {@code cpu} or {@code cuda:N}
     * @param address of the first row there
     * @param vocabulary floats of a row
     * @param rows the row of an input's node
     */
    record Memory(String device, long address, int vocabulary, IntBinaryOperator rows) {}
}
