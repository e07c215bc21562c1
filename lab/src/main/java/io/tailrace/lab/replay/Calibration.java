package io.tailrace.lab.replay;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether the probabilities of drafts hold, judged by bins that have enough cases: of whole paths, and of tokens whose path was
 * right. A budget is spent, and a step's size chosen, by these numbers, so that they have to be true and not just in order.
 *
 * @param path the bin of whole paths that is off most; empty: none has enough cases
 * @param token the bin of single tokens that is off most; empty: none has enough cases
 */
public record Calibration(Optional<Reliability.Bin> path, Optional<Reliability.Bin> token) {
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

    private static String describe(Reliability.Bin bin) {
        return String.format(
                Locale.ROOT,
                " is off by %.3f (predicted %.3f, right %.3f)",
                bin.off(),
                bin.predicted(),
                bin.observed());
    }
}
