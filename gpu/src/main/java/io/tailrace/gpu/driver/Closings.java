package io.tailrace.gpu.driver;

import java.util.ArrayDeque;
import java.util.Deque;

/** What was opened, to be closed in reverse order: all of it, also where some refuses. */
final class Closings implements AutoCloseable {
    private final Deque<Runnable> steps = new ArrayDeque<>();

    void add(Runnable close) {
        steps.push(close);
    }

    /** Closes after a failure, and returns it with what went wrong meanwhile. */
    RuntimeException closeAfter(RuntimeException failure) {
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
        return failure;
    }

    /** Closes, and throws the first refusal with the others. */
    @Override
    public void close() {
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException e) {
                throw closeAfter(e);
            }
        }
    }
}
