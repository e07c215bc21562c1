package io.tailrace.suffix.order;

/**
 * Sorts long keys, each with an int value, in place: quicksort with pseudo-random pivots and insertion sort for small
 * ranges. Keys that are in order already cost one pass, so ranges of equal keys do. Equal keys end up in any order. The
 * larger part waits while the smaller one is sorted, so that few wait at a time; on a stack of its own, for a method that calls itself
 * is inlined into itself and takes the JVM long to compile.
 */
final class KeySort {
    private static final int INSERTION_MAX = 16;
    /** Ranges of at least half the size of what was split: fewer than 31 of them. */
    private static final int WAITING_MAX = 31;

    private final long[] keys;
    private final int[] values;
    private final int[] waiting = new int[2 * WAITING_MAX];
    private int keyBase;
    private int random = 0x2545F491;

    KeySort(long[] keys, int[] values) {
        this.keys = keys;
        this.values = values;
    }

    /**
     * Sorts the values in {@code [from, to)} by their keys.
     *
     * @param base the key of {@code values[i]} is {@code keys[i - base]}
     */
    void sort(int from, int to, int base) {
        keyBase = base;
        int low = from - keyBase;
        int high = to - keyBase;
        int waitingCount = 0;
        while (true) {
            while (high - low > INSERTION_MAX && !isSorted(low, high)) {
                int middle = partition(low, high);
                boolean leftIsSmaller = middle - low < high - middle;
                waiting[waitingCount++] = leftIsSmaller ? middle : low;
                waiting[waitingCount++] = leftIsSmaller ? high : middle;
                low = leftIsSmaller ? low : middle;
                high = leftIsSmaller ? middle : high;
            }
            if (high - low <= INSERTION_MAX) {
                insertionSort(low, high);
            }
            if (waitingCount == 0) {
                return;
            }
            high = waiting[--waitingCount];
            low = waiting[--waitingCount];
        }
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
