package io.tailrace.operators;

import java.io.Serializable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where a task's slow work runs, beside its own thread. What waits for these threads is bounded by whoever submits it. */
@FunctionalInterface
public interface SideThreads extends Serializable {
    ExecutorService open();

    /** Daemon threads of one task, all of one name. */
    static SideThreads daemons(int threads, String name) {
        return () -> Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
