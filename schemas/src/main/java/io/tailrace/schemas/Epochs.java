package io.tailrace.schemas;

/** The epochs of jobs' claims: which of several jobs' announcements count ({@link AnnouncedVersions}). */
public final class Epochs {
    /** No installation has seen so many claims. */
    public static final long MAX = 1L << 40;

    private Epochs() {}

    /**
     * Refuses what no claim has: an epoch that none can follow would silence every job to come.
     *
     * @throws IllegalArgumentException unless it is 0, for none, to {@link #MAX}
     */
    public static void check(long epoch) {
        if (epoch < 0 || epoch > MAX) {
            throw new IllegalArgumentException(
                    "epoch %d is not in 0 to %d; find out who else writes the topic".formatted(epoch, MAX));
        }
    }
}
