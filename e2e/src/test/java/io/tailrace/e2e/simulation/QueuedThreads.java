package io.tailrace.e2e.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Side threads without threads: what they are given waits until the test has it run. */
final class QueuedThreads extends AbstractExecutorService {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean down;

    @Override
    public void execute(Runnable work) {
        waiting.add(work);
    }

    /** Does the first that waits; false: none does. */
    boolean runOne() {
        Runnable first = waiting.poll();
        if (first != null) {
            first.run();
        }
        return first != null;
    }

    @Override
    public void shutdown() {
        down = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        down = true;
        List<Runnable> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }

    @Override
    public boolean isShutdown() {
        return down;
    }

    @Override
    public boolean isTerminated() {
        return down;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return down;
    }
}
