package io.tailrace.worker.model;

/**
 * Which rows of a KV cache are free. A row holds the key and the value of one token in every layer; a sequence's rows may lie
 * anywhere, so that a verified tree is compacted by forgetting row numbers and not one key is moved.
 *
 * <p>Cost: 4 bytes a row. One thread.
 */
public final class CacheRows {
    private final int[] free;
    private int count;

    /**
     * All rows free.
     *
     * @param rowsMax rows of the cache
     */
    public CacheRows(int rowsMax) {
        if (rowsMax <= 0) {
            throw new IllegalArgumentException("rowsMax must be > 0, got " + rowsMax);
        }
        free = new int[rowsMax];
        count = rowsMax;
        for (int place = 0; place < rowsMax; place++) {
            free[place] = rowsMax - 1 - place;
        }
    }

    public int rowsMax() {
        return free.length;
    }

    public int free() {
        return count;
    }

    int take() {
        return free[--count];
    }

    void giveBack(int row) {
        if (row < 0 || row >= free.length || count == free.length) {
            throw new IllegalStateException(
                    "row %d was not taken, %d of %d are free".formatted(row, count, free.length));
        }
        free[count++] = row;
    }
}
