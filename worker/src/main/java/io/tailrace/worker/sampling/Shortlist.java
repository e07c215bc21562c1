package io.tailrace.worker.sampling;

import java.util.Arrays;

/**
 * The tokens that top-k and top-p leave, likeliest first. Candidates are packed as one long each (logit in sortable form, then
 * the token id turned round), so that sorting needs no comparator and equal logits come in the order of their ids.
 *
 * <p>Top-p first drops what cannot be in the nucleus: tokens below {@code (1 - p) / count} of the sum make less than
 * {@code 1 - p} together. What is left is sorted.
 */
final class Shortlist {
    private long[] packed = new long[256];
    private double[] weights = new double[256];
    private int size;

    /** Lists the tokens; returns how many. */
    int fill(float[] logits, int length, double scale, int topK, float topP) {
        collect(logits, length);
        if (topK > 0 && topK < size) {
            keepLargest(topK);
        }
        if (topP < 1) {
            keepNucleus(logits, scale, topP);
        }
        return size;
    }

    int token(int place) {
        return token(packed[place]);
    }

    private void collect(float[] logits, int length) {
        if (packed.length < length) {
            packed = new long[length];
            weights = new double[length];
        }
        size = 0;
        for (int token = 0; token < length; token++) {
            if (logits[token] > Float.NEGATIVE_INFINITY) {
                packed[size++] = pack(logits[token], token);
            }
        }
    }

    /** Keeps the {@code count} largest, unsorted, by Hoare's selection. */
    private void keepLargest(int count) {
        int from = 0;
        int to = size - 1;
        while (from < to) {
            long pivot = packed[(from + to) >>> 1];
            int left = from;
            int right = to;
            while (left <= right) {
                while (packed[left] > pivot) {
                    left++;
                }
                while (packed[right] < pivot) {
                    right--;
                }
                if (left <= right) {
                    swap(left++, right--);
                }
            }
            if (count - 1 <= right) {
                to = right;
            } else if (count - 1 >= left) {
                from = left;
            } else {
                break;
            }
        }
        size = count;
    }

    private void keepNucleus(float[] logits, double scale, float topP) {
        double sum = weigh(logits, scale);
        double floor = (1 - (double) topP) * sum / size;
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (weights[i] >= floor) {
                packed[kept++] = packed[i];
            }
        }
        Arrays.sort(packed, 0, kept);
        reverse(kept);
        double largest = logits[token(0)] * scale;
        double reached = 0;
        int count = 0;
        while (count < kept && reached < topP * sum) {
            reached += Math.exp(logits[token(count)] * scale - largest);
            count++;
        }
        size = Math.max(1, count);
    }

    /** Weights relative to the largest; returns their sum. */
    private double weigh(float[] logits, double scale) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            largest = Math.max(largest, logits[token(packed[i])] * scale);
        }
        double sum = 0;
        for (int i = 0; i < size; i++) {
            weights[i] = Math.exp(logits[token(packed[i])] * scale - largest);
            sum += weights[i];
        }
        return sum;
    }

    private void reverse(int count) {
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            swap(i, j);
        }
    }

    private void swap(int i, int j) {
        long held = packed[i];
        packed[i] = packed[j];
        packed[j] = held;
    }

    private static long pack(float logit, int token) {
        int bits = Float.floatToIntBits(logit + 0f);
        int sortable = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
        return ((long) sortable << 32) | (0xFFFFFFFFL - token);
    }

    private static int token(long packedCandidate) {
        return (int) (0xFFFFFFFFL - (packedCandidate & 0xFFFFFFFFL));
    }
}
