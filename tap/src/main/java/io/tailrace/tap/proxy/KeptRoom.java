package io.tailrace.tap.proxy;

import java.util.concurrent.atomic.AtomicLong;

/** The room that all kept bodies share. Safe for any number of threads. */
final class KeptRoom {
    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    KeptRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes room, if there is as much. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        free(bytes);
        return false;
    }

    void free(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
