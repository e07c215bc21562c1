package io.tailrace.tap.proxy;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The requests whose clients are waited for. Their number is bounded: beyond it the one that was waited for first is given up. A client that sends at once is
 * not waited for long, so clients that send slowly are only in each other's way. Safe for any number of threads.
 */
final class IncomingBodies {
    private final int bodiesMax;
    /** Those begun first in front. */
    private final Set<IncomingBody> bodies = new LinkedHashSet<>();

    IncomingBodies(int bodiesMax) {
        this.bodiesMax = bodiesMax;
    }

    void began(IncomingBody body) {
        IncomingBody first = null;
        synchronized (this) {
            bodies.add(body);
            if (bodies.size() > bodiesMax) {
                Iterator<IncomingBody> all = bodies.iterator();
                first = all.next();
                all.remove();
            }
        }
        if (first != null) {
            first.giveUp(Refusal.CROWDED);
        }
    }

    synchronized void ended(IncomingBody body) {
        bodies.remove(body);
    }
}
