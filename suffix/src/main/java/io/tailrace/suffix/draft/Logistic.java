package io.tailrace.suffix.draft;

/** The logistic function from a table with linear interpolation: error below 2e-6, the same bits on every machine. */
final class Logistic {
    private static final int STEPS_PER_UNIT = 128;
    private static final int LIMIT = 14;
    private static final float[] TABLE = table();

    private Logistic() {}

    static float of(float sum) {
        float at = (sum + LIMIT) * STEPS_PER_UNIT;
        if (!(at > 0)) {
            return TABLE[0];
        }
        int index = (int) at;
        if (index >= TABLE.length - 1) {
            return TABLE[TABLE.length - 1];
        }
        float low = TABLE[index];
        return low + (TABLE[index + 1] - low) * (at - index);
    }

    private static float[] table() {
        float[] table = new float[2 * LIMIT * STEPS_PER_UNIT + 1];
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) (1 / (1 + StrictMath.exp(LIMIT - (double) i / STEPS_PER_UNIT)));
        }
        return table;
    }
}
