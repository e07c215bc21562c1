package io.tailrace.worker.model;

import java.util.function.IntBinaryOperator;

/**
 * Where the logits of a pass lie: rows of floats without gaps, until the model's next pass.
 *
 * @param device {@code cpu} or {@code cuda:N}
 * @param address of the first row there
 * @param vocabulary floats of a row
 * @param rows the row of an input's node
 */
public record LogitsMemory(String device, long address, int vocabulary, IntBinaryOperator rows) {}
