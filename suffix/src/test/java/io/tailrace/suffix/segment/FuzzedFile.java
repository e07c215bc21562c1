package io.tailrace.suffix.segment;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A file as a fuzzer makes it up. Nobody guesses a checksum: the first byte says whether checksums are made right for what the rest of the input
 * holds, as whoever forges a file would.
 *
 * @param forged whether they are
 * @param bytes the file
 */
record FuzzedFile(boolean forged, byte[] bytes) {
    private static final byte AS_IT_IS = 0;
    private static final byte FORGED = 1;

    /** A fuzzer's input; an empty one is an empty file. */
    static FuzzedFile of(byte[] input) {
        return new FuzzedFile(
                input.length > 0 && input[0] == FORGED,
                Arrays.copyOfRange(input, Math.min(1, input.length), input.length));
    }

    /** Inputs that hold an intact file. */
    static Stream<byte[]> seeds(byte[] intact) {
        return Stream.of(AS_IT_IS, FORGED).map(first -> {
            byte[] input = new byte[intact.length + 1];
            input[0] = first;
            System.arraycopy(intact, 0, input, 1, intact.length);
            return input;
        });
    }
}
