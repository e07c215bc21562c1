package io.tailrace.operators.publishing;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all lanes of a process together may let wait for folds: an eighth of its heap. Beyond it no lane takes in more that has more than its share waiting.
 * Safe for any number of threads; a {@link Share} is its lane's task's.
 */
final class WaitingRoom {
    private static final WaitingRoom OF_THIS_PROCESS =
            new WaitingRoom(Runtime.getRuntime().maxMemory() / 8);

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger shares = new AtomicInteger();

    WaitingRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    static WaitingRoom ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /** For one lane more. */
    Share share() {
        shares.incrementAndGet();
        return new Share();
    }

    /** What waits in one lane. */
    final class Share implements AutoCloseable {
        private long held;

        /** So much waits. */
        void holds(long now) {
            bytes.addAndGet(now - held);
            held = now;
        }

        /** True if too much waits in all lanes, and in this one no less than in the mean. */
        boolean isOverfull() {
            return bytes.get() > bytesMax && held >= bytesMax / shares.get();
        }

        @Override
        public void close() {
            holds(0);
            shares.decrementAndGet();
        }
    }
}
