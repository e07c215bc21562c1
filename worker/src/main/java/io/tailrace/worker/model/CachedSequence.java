package io.tailrace.worker.model;

import java.util.Arrays;

/**
 * A sequence as a list of cache rows: first those of the committed tokens in order, then those of the last pass's nodes.
 *
 * <p>Committing a path moves row numbers down and gives the others back: O(nodes), nothing on the device. One thread.
 */
public final class CachedSequence implements ModelSequence {
    private static final int[] NONE = {};

    private final CacheRows cache;
    private int[] rows = new int[64];
    private int length;
    private int[] pendingParents = NONE;
    private boolean closed;

    public CachedSequence(CacheRows cache) {
        this.cache = cache;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void commit(int[] path, int count) {
        int pending = requirePending();
        requirePath(path, count);
        int next = 0;
        for (int node = 0; node < pending; node++) {
            int row = rows[length + node];
            if (next < count && path[next] == node) {
                rows[length + next++] = row;
            } else {
                cache.giveBack(row);
            }
        }
        length += count;
        pendingParents = NONE;
    }

    @Override
    public void revise(int[] parents) {
        if (parents.length != requirePending()) {
            throw new IllegalArgumentException(
                    "the last pass had %d nodes, not %d".formatted(pendingParents.length, parents.length));
        }
        pendingParents = parents.clone();
    }

    @Override
    public void commitAll() {
        int pending = requirePending();
        int[] line = new int[pending];
        Arrays.setAll(line, node -> node);
        commit(line, pending);
    }

    @Override
    public void truncate(int newLength) {
        if (newLength < 0 || newLength > length) {
            throw new IllegalArgumentException("length must be 0 to %d, got %d".formatted(length, newLength));
        }
        dropPending();
        while (length > newLength) {
            cache.giveBack(rows[--length]);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            truncate(0);
            closed = true;
        }
    }

    boolean belongsTo(CacheRows other) {
        return cache == other && !closed;
    }

    void dropPending() {
        for (int node = 0; node < pendingParents.length; node++) {
            cache.giveBack(rows[length + node]);
        }
        pendingParents = NONE;
    }

    /** Takes a row for each node. The caller has made sure that there are enough. */
    void append(TreeInput input) {
        int needed = length + input.size();
        if (needed > rows.length) {
            rows = Arrays.copyOf(rows, Math.max(needed, rows.length * 2));
        }
        for (int place = length; place < needed; place++) {
            rows[place] = cache.take();
        }
        pendingParents = input.parents();
    }

    /** The row of a committed token, or, from {@link #length} on, of a node of the last pass. */
    int row(int place) {
        return rows[place];
    }

    private int requirePending() {
        if (pendingParents.length == 0) {
            throw new IllegalStateException("there is no pass to commit: none yet, committed already, or dropped");
        }
        return pendingParents.length;
    }

    private void requirePath(int[] path, int count) {
        if (count < 0 || count > path.length) {
            throw new IllegalArgumentException("count must be 0 to %d, got %d".formatted(path.length, count));
        }
        int parent = -1;
        for (int depth = 0; depth < count; depth++) {
            int node = path[depth];
            if (node < 0 || node >= pendingParents.length || pendingParents[node] != parent) {
                throw new IllegalArgumentException(
                        "node %d at depth %d does not follow node %d in the last pass".formatted(node, depth, parent));
            }
            parent = node;
        }
    }
}
