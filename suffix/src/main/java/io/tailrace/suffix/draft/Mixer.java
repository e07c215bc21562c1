package io.tailrace.suffix.draft;

/** Logistic mixer over the votes; learns online. Not thread-safe: one owner. */
public final class Mixer {
    /** Number of the feature layout; weights of another layout are not understood. */
    public static final int LAYOUT = 1;

    /** A mixer with the product's default weights. */
    public static Mixer defaults() {
        throw new UnsupportedOperationException();
    }

    /**
     * A mixer with given weights.
     *
     * @throws IllegalArgumentException if their number is not that of {@link #LAYOUT}
     */
    public static Mixer of(float[] weights) {
        throw new UnsupportedOperationException();
    }

    public float[] weights() {
        throw new UnsupportedOperationException();
    }
}
