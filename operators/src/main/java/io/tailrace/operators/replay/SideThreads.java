package io.tailrace.operators.replay;

import java.io.Serializable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where a replayer's loads run. At most one a lane waits or runs at any time. */
@FunctionalInterface
interface SideThreads extends Serializable {
    ExecutorService open();

    static SideThreads daemon() {
        return () -> Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "tailrace-replay-load");
            thread.setDaemon(true);
            return thread;
        });
    }
}
