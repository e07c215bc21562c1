package io.tailrace.operators;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Side threads without threads: what it is given runs at once, in the thread of whoever gives it. */
public class SameThread extends AbstractExecutorService {
    private boolean down;

    @Override
    public void execute(Runnable work) {
        work.run();
    }

    @Override
    public void shutdown() {
        down = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        down = true;
        return List.of();
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
