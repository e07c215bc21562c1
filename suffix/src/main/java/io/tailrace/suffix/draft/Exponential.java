package io.tailrace.suffix.draft;

/**
 * The exponential function from a table with linear interpolation: relative error below 1e-5, clamped outside [-16, 16], the
 * same bits on every machine.
 */
final class Exponential {
    static final int LIMIT = 16;
    private static final int STEPS_PER_UNIT = 128;
    private static final float[] TABLE = table();

    private Exponential() {}

    static float of(float exponent) {
        float at = (exponent + LIMIT) * STEPS_PER_UNIT;
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

    static float[] tableCopy() {
        return TABLE.clone();
    }

    private static float[] table() {
        float[] table = new float[2 * LIMIT * STEPS_PER_UNIT + 1];
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) StrictMath.exp((double) i / STEPS_PER_UNIT - LIMIT);
        }
        return table;
    }
}
