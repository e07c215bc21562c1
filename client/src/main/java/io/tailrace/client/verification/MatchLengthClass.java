package io.tailrace.client.verification;

/** Classes of match length that outcomes are split by; the mixer's thresholds. */
public final class MatchLengthClass {
    private static final int[] LOWER_BOUNDS = {1, 2, 3, 4, 6, 9, 14, 22};

    private MatchLengthClass() {}

    public static int count() {
        return LOWER_BOUNDS.length;
    }

    /** Smallest match length of a class. */
    public static int lowerBound(int matchLengthClass) {
        return LOWER_BOUNDS[matchLengthClass];
    }

    /** The class of a match length of at least 1. */
    public static int of(int matchLength) {
        if (matchLength < 1) {
            throw new IllegalArgumentException("a match has at least 1 token, got " + matchLength);
        }
        int found = LOWER_BOUNDS.length - 1;
        while (LOWER_BOUNDS[found] > matchLength) {
            found--;
        }
        return found;
    }
}
