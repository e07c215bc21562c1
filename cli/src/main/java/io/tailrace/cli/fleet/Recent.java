package io.tailrace.cli.fleet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** The last few of many. Not thread-safe. */
final class Recent<T> {
    private final int max;
    private final Deque<T> kept = new ArrayDeque<>();

    Recent(int max) {
        this.max = max;
    }

    void add(T one) {
        kept.addLast(one);
        if (kept.size() > max) {
            kept.removeFirst();
        }
    }

    /** In the order in which they came. */
    List<T> oldestFirst() {
        return List.copyOf(kept);
    }

    List<T> newestFirst() {
        List<T> all = new ArrayList<>(kept);
        Collections.reverse(all);
        return all;
    }
}
