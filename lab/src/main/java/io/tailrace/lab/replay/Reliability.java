package io.tailrace.lab.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Predicted probabilities beside what came true, in ten bins of equal width. */
public final class Reliability {
    public static final int BINS = 10;

    private final long[] cases = new long[BINS];
    private final long[] hits = new long[BINS];
    private final double[] predicted = new double[BINS];

    /**
     * One bin.
     *
     * @param from lower bound of its predictions; the upper one is a tenth more
     * @param cases predictions in it
     * @param predicted their mean
     * @param observed share of them that came true
     */
    public record Bin(double from, long cases, double predicted, double observed) {
        /** How far prediction and truth are apart. */
        public double off() {
            return Math.abs(predicted - observed);
        }
    }

    void add(double probability, boolean hit) {
        int bin = (int) Math.max(0, Math.min(BINS - 1, Math.floor(probability * BINS)));
        cases[bin]++;
        hits[bin] += hit ? 1 : 0;
        predicted[bin] += probability;
    }

    void add(Reliability other) {
        for (int bin = 0; bin < BINS; bin++) {
            cases[bin] += other.cases[bin];
            hits[bin] += other.hits[bin];
            predicted[bin] += other.predicted[bin];
        }
    }

    /** Bins that hold anything, lowest first. */
    public List<Bin> bins() {
        List<Bin> bins = new ArrayList<>();
        for (int bin = 0; bin < BINS; bin++) {
            if (cases[bin] > 0) {
                bins.add(new Bin(
                        (double) bin / BINS, cases[bin], predicted[bin] / cases[bin], (double) hits[bin] / cases[bin]));
            }
        }
        return bins;
    }

    /** The bin that is off most, of those with at least so many cases. */
    public Optional<Bin> worst(long casesMin) {
        return bins().stream().filter(bin -> bin.cases() >= casesMin).max(Comparator.comparingDouble(Bin::off));
    }
}
