package io.tailrace.operators.publishing;

import java.io.Serializable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where a publisher's merges run. At most two merges and one sweep a lane wait or run at any time. */
@FunctionalInterface
interface MergeThreads extends Serializable {
    /** Threads of one task. */
    int THREADS = 2;

    ExecutorService open();

    static MergeThreads daemons() {
        return () -> Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "tailrace-merge");
            thread.setDaemon(true);
            return thread;
        });
    }
}
