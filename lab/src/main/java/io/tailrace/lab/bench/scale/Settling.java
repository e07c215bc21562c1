package io.tailrace.lab.bench.scale;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Waits until a job has digested all that was sent; the waits of a point have one limit together. One thread at a time. */
final class Settling {
    private final BooleanSupplier look;
    private final LongSupplier nanoClock;
    private long leftNanos;
    private boolean inVain;

    /**
     * Nothing was waited for yet.
     *
     * @param look waits a moment for news, and says whether everything is digested
     * @param max of all waits together
     * @param nanoClock such as {@link System#nanoTime}
     */
    Settling(BooleanSupplier look, Duration max, LongSupplier nanoClock) {
        this.look = look;
        this.nanoClock = nanoClock;
        this.leftNanos = max.toNanos();
    }

    /** Looks at least once; seconds until everything was digested, or until the limit. */
    double await() {
        long began = nanoClock.getAsLong();
        boolean settled = look.getAsBoolean();
        while (!settled && nanoClock.getAsLong() - began < leftNanos) {
            settled = look.getAsBoolean();
        }
        long took = nanoClock.getAsLong() - began;
        leftNanos -= took;
        inVain |= !settled;
        return took / 1e9;
    }

    /** Whether a wait met the limit. */
    boolean inVain() {
        return inVain;
    }
}
