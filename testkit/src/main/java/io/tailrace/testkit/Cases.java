package io.tailrace.testkit;

import java.util.Locale;

/** Runs a property over many seeds, and says which seed broke it. */
public final class Cases {
    private Cases() {}

    /** One case of a property. */
    @FunctionalInterface
    public interface Property {
        void check(long seed) throws Exception;
    }

    /** Checks the property for seeds 0 to {@code count - 1}; run a single seed by {@code -Dtailrace.seed=N}. */
    public static void forEachSeed(int count, Property property) {
        Long only = Long.getLong("tailrace.seed");
        long from = only == null ? 0 : only;
        long to = only == null ? count : only + 1;
        for (long seed = from; seed < to; seed++) {
            check(seed, property);
        }
    }

    private static void check(long seed, Property property) {
        try {
            property.check(seed);
        } catch (Exception | AssertionError e) {
            String message = String.format(
                    Locale.ROOT, "broken by seed %d (-Dtailrace.seed=%d): %s", seed, seed, e.getMessage());
            throw new AssertionError(message, e);
        }
    }
}
