package io.tailrace.gpu;

/**
 * Logits on the device, row by row.
 *
 * @param address of the first row's first float
 * @param vocabulary floats of a row
 * @param firstRows for each batch entry its first row, which follows the context's last token; node i of its draft has row i + 1
 *     from there. Any number for an idle entry
 */
public record LogitsRows(long address, int vocabulary, int[] firstRows) {
    public LogitsRows {
        if (vocabulary < 1) {
            throw new IllegalArgumentException("vocabulary must be > 0, got " + vocabulary);
        }
    }
}
