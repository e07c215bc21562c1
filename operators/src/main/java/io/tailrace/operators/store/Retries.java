package io.tailrace.operators.store;

import static io.tailrace.operators.Require.require;

import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * How often an operation on the store is tried, and how long between.
 *
 * @param attemptsMax at least 1
 * @param pauseMillis before the second attempt; doubles from attempt to attempt
 */
public record Retries(int attemptsMax, long pauseMillis) {
    public Retries {
        require(attemptsMax >= 1, "attemptsMax must be >= 1, got %d", attemptsMax);
        require(pauseMillis >= 0, "pauseMillis must be >= 0, got %d", pauseMillis);
    }

    /** Four attempts within about a second. */
    public static Retries defaults() {
        return new Retries(4, 100);
    }

    /** One attempt at something that can fail. */
    @FunctionalInterface
    interface Attempt<T> {
        T run() throws IOException;
    }

    <T> T run(String what, Attempt<T> attempt) throws IOException {
        long pause = pauseMillis;
        for (int number = 1; ; number++) {
            try {
                return attempt.run();
            } catch (IOException e) {
                if (FlinkFileStore.isFinal(e)) {
                    throw e;
                }
                if (number == attemptsMax) {
                    throw new IOException("cannot %s after %d attempts: %s".formatted(what, number, e.getMessage()), e);
                }
            }
            sleep(pause);
            pause *= 2;
        }
    }

    private static void sleep(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted between attempts on the store");
        }
    }
}
