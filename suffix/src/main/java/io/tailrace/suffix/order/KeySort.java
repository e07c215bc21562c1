package io.tailrace.suffix.order;

/**
 * Sorts long keys, each with an int value, in place: quicksort with pseudo-random pivots and insertion sort for small
 * ranges. Keys that are in order already cost one pass, so ranges of equal keys do. Equal keys end up in any order. The
 * stack stays logarithmic: the larger part is sorted by the loop.
 */
final class KeySort {
    private static final int INSERTION_MAX = 16;

    private final long[] keys;
    private final int keyBase;
    private final int[] values;
    private int random = 0x2545F491;

    /**
     * A sorter over these arrays.
     *
     * @param keyBase the key of {@code values[i]} is {@code keys[i - keyBase]}
     */
    KeySort(long[] keys, int keyBase, int[] values) {
        this.keys = keys;
        this.keyBase = keyBase;
        this.values = values;
    }

    /** Sorts the values in {@code [from, to)} by their keys. */
    void sort(int from, int to) {
        int low = from - keyBase;
        int high = to - keyBase;
        while (high - low > INSERTION_MAX) {
            if (isSorted(low, high)) {
                return;
            }
            int middle = partition(low, high);
            if (middle - low < high - middle) {
                sort(low + keyBase, middle + keyBase);
                low = middle;
            } else {
                sort(middle + keyBase, high + keyBase);
                high = middle;
            }
        }
        insertionSort(low, high);
    }

    private boolean isSorted(int low, int high) {
        for (int i = low + 1; i < high; i++) {
            if (keys[i - 1] > keys[i]) {
                return false;
            }
        }
        return true;
    }

    /** Hoare's partition: what is below the result is not above the pivot, what is from it on not below. Both parts are non-empty. */
    private int partition(int low, int high) {
        long pivot = pivot(low, high);
        int i = low - 1;
        int j = high;
        while (true) {
            do {
                i++;
            } while (keys[i] < pivot);
            do {
                j--;
            } while (keys[j] > pivot);
            if (i >= j) {
                return i == low ? low + 1 : i;
            }
            swap(i, j);
        }
    }

    private long pivot(int low, int high) {
        long a = keys[randomIndex(low, high)];
        long b = keys[randomIndex(low, high)];
        long c = keys[randomIndex(low, high)];
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }

    private int randomIndex(int low, int high) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return low + (int) (((random & 0xFFFFFFFFL) * (high - low)) >>> 32);
    }

    private void swap(int i, int j) {
        long key = keys[i];
        keys[i] = keys[j];
        keys[j] = key;
        int value = values[i + keyBase];
        values[i + keyBase] = values[j + keyBase];
        values[j + keyBase] = value;
    }

    private void insertionSort(int low, int high) {
        for (int i = low + 1; i < high; i++) {
            long key = keys[i];
            int value = values[i + keyBase];
            int j = i - 1;
            while (j >= low && keys[j] > key) {
                keys[j + 1] = keys[j];
                values[j + 1 + keyBase] = values[j + keyBase];
                j--;
            }
            keys[j + 1] = key;
            values[j + 1 + keyBase] = value;
        }
    }
}
