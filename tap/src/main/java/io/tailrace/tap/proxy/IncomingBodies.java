package io.tailrace.tap.proxy;

import java.util.TreeMap;

/**
 * The requests whose clients are waited for now. Their number is bounded: beyond it the one that was waited for first is given up. A client that sends at once is
 * not waited for long, so clients that send slowly are only in each other's way. Safe for any number of threads.
 */
final class IncomingBodies {
    private final int waitingMax;
    /** By their numbers. */
    private final TreeMap<Long, IncomingBody> waiting = new TreeMap<>();

    private long next;

    IncomingBodies(int waitingMax) {
        this.waitingMax = waitingMax;
    }

    /** The number of a body that is waited for, for the first time now: bodies keep their order, however often they are waited for. */
    synchronized long number() {
        return next++;
    }

    /** Waits for one more; returns the one to be given up for it, which the caller tells under no lock, or null. */
    synchronized IncomingBody waits(long number, IncomingBody body) {
        waiting.put(number, body);
        return waiting.size() > waitingMax ? waiting.pollFirstEntry().getValue() : null;
    }

    synchronized void came(long number) {
        waiting.remove(number);
    }
}
