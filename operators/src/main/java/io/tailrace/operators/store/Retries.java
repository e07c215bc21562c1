package io.tailrace.operators.store;

import static io.tailrace.operators.Preconditions.require;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import dev.failsafe.RetryPolicyBuilder;
import dev.failsafe.function.CheckedSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * How often an operation on the store is tried, and how long between; what no further attempt can mend is said at once.
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

    private RetryPolicy<Object> policy() {
        RetryPolicyBuilder<Object> policy = RetryPolicy.builder()
                .handle(IOException.class)
                .abortOn(FlinkFileStore::isFinal)
                .withMaxAttempts(attemptsMax);
        return pauseMillis == 0
                ? policy.build()
                : policy.withBackoff(Duration.ofMillis(pauseMillis), Duration.ofMillis(pauseMillis << attemptsMax))
                        .build();
    }

    <T> T run(String what, CheckedSupplier<T> attempt) throws IOException {
        try {
            return Failsafe.with(policy()).get(attempt);
        } catch (FailsafeException e) {
            throw reason(what, e);
        }
    }

    private IOException reason(String what, FailsafeException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof InterruptedException) {
            return new InterruptedIOException("interrupted between attempts on the store");
        }
        return cause instanceof IOException last && FlinkFileStore.isFinal(last)
                ? last
                : new IOException(
                        "cannot %s after %d attempts: %s".formatted(what, attemptsMax, cause.getMessage()), cause);
    }
}
