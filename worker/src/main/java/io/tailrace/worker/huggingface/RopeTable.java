package io.tailrace.worker.huggingface;

/**
 * Cosines and sines of the rotary position embedding, one row a position, one column a dimension of a head. A head's first
 * half and its second half hold the two coordinates of each rotated pair, so a rotation is {@code x * cos + swap(x) * sin},
 * where {@code swap} exchanges the halves and the sine's first half carries the minus sign.
 *
 * @param cosines positions x headSize
 * @param signedSines positions x headSize
 */
public record RopeTable(float[] cosines, float[] signedSines) {
    /** The table for positions 0 to {@code positions - 1}, computed in double precision. */
    public static RopeTable of(LlamaConfig config, int positions) {
        int size = config.headSize();
        float[] cosines = new float[Math.multiplyExact(positions, size)];
        float[] sines = new float[cosines.length];
        for (int pair = 0; pair < size / 2; pair++) {
            double frequency = config.ropeScaling().scale(Math.pow(config.ropeTheta(), -2.0 * pair / size));
            for (int position = 0; position < positions; position++) {
                int low = position * size + pair;
                int high = low + size / 2;
                cosines[low] = cosines[high] = (float) Math.cos(position * frequency);
                sines[high] = (float) Math.sin(position * frequency);
                sines[low] = -sines[high];
            }
        }
        return new RopeTable(cosines, sines);
    }
}
