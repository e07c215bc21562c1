package io.tailrace.schemas;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import org.apache.avro.io.Decoder;

/**
 * Reads records with tokens, of the current schema version, field by field, tokens straight into arrays: Avro's own reader makes an object of
 * each token, which is most of what decoding a generation costs. It reads what that reads; {@code RecordCodecTest} compares the two.
 */
final class TokenBodies {
    /** Arrays grow from at most this: a claimed length is not believed before its tokens have come. */
    private static final int TOKENS_AT_FIRST_MAX = 1 << 12;

    private TokenBodies() {}

    /** Fields in the order of {@code Generation.avsc}. */
    static Generation generation(Decoder in) throws IOException {
        return new Generation(
                in.readString(),
                new Lane(in.readString(), in.readString(), in.readString()),
                in.readString(),
                isThere(in) ? TokenIds.toList(tokens(in)) : null,
                TokenIds.toList(tokens(in)),
                Instant.ofEpochMilli(in.readLong()),
                Instant.ofEpochMilli(in.readLong()),
                isThere(in) ? (Float) in.readFloat() : null);
    }

    /** Fields in the order of {@code AdmittedAnswer.avsc}. */
    static AdmittedAnswer admittedAnswer(Decoder in) throws IOException {
        return new AdmittedAnswer(
                new Lane(in.readString(), in.readString(), in.readString()),
                in.readLong(),
                in.readLong(),
                TokenIds.toList(tokens(in)),
                in.readBytes(null),
                TokenIds.toList(tokens(in)),
                Instant.ofEpochMilli(in.readLong()));
    }

    /** The branch of a union of null and something. */
    private static boolean isThere(Decoder in) throws IOException {
        int branch = in.readIndex();
        if (branch < 0 || branch > 1) {
            throw new IOException("a union's branch must be 0 or 1, got " + branch);
        }
        return branch == 1;
    }

    /** An array of token ids. */
    private static int[] tokens(Decoder in) throws IOException {
        long block = in.readArrayStart();
        int[] tokens = new int[(int) Math.min(block, TOKENS_AT_FIRST_MAX)];
        int count = 0;
        for (; block > 0; block = in.arrayNext()) {
            for (long i = 0; i < block; i++) {
                if (count == tokens.length) {
                    tokens = Arrays.copyOf(tokens, Math.max(16, 2 * count));
                }
                tokens[count++] = in.readInt();
            }
        }
        return count == tokens.length ? tokens : Arrays.copyOf(tokens, count);
    }
}
