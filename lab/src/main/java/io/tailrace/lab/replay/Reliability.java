package io.tailrace.lab.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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

    /**
     * Whether the probabilities of drafts hold, judged by bins that have enough cases: of whole paths, and of tokens whose path was
     * right. A budget is spent, and a step's size chosen, by these numbers, so that they have to be true and not just in order.
     *
     * @param path the bin of whole paths that is off most; empty: none has enough cases
     * @param token the bin of single tokens that is off most; empty: none has enough cases
     */
    public record Calibration(Optional<Bin> path, Optional<Bin> token) {
        /** Fewer cases say nothing: at 1,000 the share of hits has a standard deviation of up to 0.016. */
        public static final long CASES_MIN = 1_000;

        /** A bin may be off so far. */
        public static final double OFF_MAX = 0.05;

        public static Calibration of(ReplayTally tally) {
            return new Calibration(
                    tally.paths().worst(CASES_MIN), tally.tokensAtNode().worst(CASES_MIN));
        }

        /** Whether there is a bin to judge by. */
        public boolean isJudged() {
            return path.isPresent() || token.isPresent();
        }

        /** Whether no bin is off too far. */
        public boolean holds() {
            return Stream.of(path, token).flatMap(Optional::stream).allMatch(bin -> bin.off() <= OFF_MAX);
        }

        /** A sentence for people. */
        public String describe() {
            if (!isJudged()) {
                return String.format(Locale.ROOT, "calibration not judged: no bin has %,d cases", CASES_MIN);
            }
            return String.format(
                    Locale.ROOT,
                    "%s; of bins with %,d cases or more the worst%s%s",
                    holds() ? "calibrated" : "NOT CALIBRATED (a bin is off by more than " + OFF_MAX + ")",
                    CASES_MIN,
                    path.map(bin -> " of paths" + describe(bin)).orElse(""),
                    token.map(bin -> (path.isPresent() ? ", the worst" : "") + " of tokens" + describe(bin))
                            .orElse(""));
        }

        private static String describe(Bin bin) {
            return String.format(
                    Locale.ROOT,
                    " is off by %.3f (predicted %.3f, right %.3f)",
                    bin.off(),
                    bin.predicted(),
                    bin.observed());
        }
    }
}
