package io.tailrace.worker.speculation;

import java.util.ArrayList;
import java.util.List;

/**
 * Drafts prepared for the forks of one verification in flight. One request; not thread-safe: whoever prepares on another thread
 * hands over through the request's own.
 *
 * <p>An entry that is not ready when the verification ends is a miss, counted apart as late. Whether it hits or not, a
 * verification's end empties the cache: its entries were for this draft.
 *
 * @param <D> a prepared draft
 */
public final class SpeculationCache<D> {
    private record Entry<D>(int node, int token, D draft, long readyNanos) {}

    private final int entriesMax;
    private final List<Entry<D>> entries = new ArrayList<>();
    private long hits;
    private long late;
    private long misses;

    /**
     * An empty cache.
     *
     * @param entriesMax B, most forks prepared for one verification, at least 1
     */
    public SpeculationCache(int entriesMax) {
        if (entriesMax < 1) {
            throw new IllegalArgumentException("entriesMax must be >= 1, got " + entriesMax);
        }
        this.entriesMax = entriesMax;
    }

    /**
     * Takes in a draft.
     *
     * @param node last accepted node of the fork, or -1
     * @param token the model's own token there
     * @param readyNanos when it is ready, by the clock of {@link #take}
     * @return false if the cache is full or has an entry of this fork
     */
    public boolean put(int node, int token, D draft, long readyNanos) {
        if (entries.size() == entriesMax || entry(node, token) != null) {
            return false;
        }
        entries.add(new Entry<>(node, token, draft, readyNanos));
        return true;
    }

    /**
     * Ends the verification.
     *
     * @return the draft prepared for this ending if it is ready, else null; the cache is empty afterwards
     */
    public D take(int node, int token, long nowNanos) {
        Entry<D> entry = entry(node, token);
        entries.clear();
        if (entry == null) {
            misses++;
            return null;
        }
        if (entry.readyNanos > nowNanos) {
            late++;
            return null;
        }
        hits++;
        return entry.draft;
    }

    public int size() {
        return entries.size();
    }

    public long hits() {
        return hits;
    }

    /** Misses because the entry was not ready. */
    public long late() {
        return late;
    }

    /** Misses because there was no entry. */
    public long misses() {
        return misses;
    }

    private Entry<D> entry(int node, int token) {
        for (Entry<D> entry : entries) {
            if (entry.node == node && entry.token == token) {
                return entry;
            }
        }
        return null;
    }
}
