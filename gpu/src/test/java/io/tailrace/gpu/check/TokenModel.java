package io.tailrace.gpu.check;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** A model whose next token depends on the last one alone: what was said before is often said again. Logits are made once a token. */
final class TokenModel {
    private static final float LOGIT_MAX = 12;

    private final int vocabulary;
    private final float[][] rows;

    TokenModel(int vocabulary) {
        this.vocabulary = vocabulary;
        this.rows = new float[vocabulary][];
    }

    /** Little-endian memory for so many rows. */
    ByteBuffer room(int count) {
        return ByteBuffer.allocateDirect(count * vocabulary * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes the logits that follow a token as a row. */
    void write(ByteBuffer logits, int row, int token) {
        logits.asFloatBuffer().put(row * vocabulary, rowOf(token));
    }

    /** The likeliest token after another one. */
    int next(int token) {
        float[] row = rowOf(token);
        int best = 0;
        for (int i = 1; i < vocabulary; i++) {
            best = row[i] > row[best] ? i : best;
        }
        return best;
    }

    /** Text of which four tokens in five are the likeliest after the one before. */
    int[] text(int length, SplittableRandom random) {
        int[] tokens = new int[length];
        tokens[0] = random.nextInt(vocabulary);
        for (int i = 1; i < length; i++) {
            tokens[i] = random.nextInt(5) == 0 ? random.nextInt(vocabulary) : next(tokens[i - 1]);
        }
        return tokens;
    }

    private float[] rowOf(int token) {
        if (rows[token] == null) {
            SplittableRandom random = new SplittableRandom(token);
            rows[token] = new float[vocabulary];
            for (int i = 0; i < vocabulary; i++) {
                rows[token][i] = (float) random.nextDouble() * LOGIT_MAX;
            }
        }
        return rows[token];
    }
}
