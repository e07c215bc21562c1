package io.tailrace.client.budget;

import java.util.function.IntToDoubleFunction;

/**
 * Which steps carry another number of draft tokens than the best one, so that it is known what they take, and the time that is put aside for them.
 *
 * <p>Whenever what was put aside covers the loss, a step carries a number of tokens that was measured a few times only, or else the one whose time was
 * measured longest ago. A try that the engine does not make costs nothing. The loss is what it is thought
 * to gain less than the best number of those whose times are known, or else at most a plain step; it is put right by the clock when the step is over. A
 * size that was measured a few times only is tried whatever those said, on credit, and there is credit for {@value #STEPS_FIRST} plain steps to
 * begin with: a few times say little. One thread.
 */
final class Trials {
    static final int STALE = 64;
    /** Most that is put aside, in plain steps. */
    private static final double STEPS_MAX = 16;
    /** Put aside before anything was earned: an engine that has just started is soon known. */
    private static final double STEPS_FIRST = 4;
    /** With so many put aside, a size measured a few times only is tried whatever that said; what it may cost is paid back. */
    private static final double HEARSAY_STEPS = 4;

    private final StepCosts costs;
    private final IntToDoubleFunction gains;
    private double asideNanos;
    private boolean trying;
    /** What the step in hand is thought to lose. */
    private double lossNanos;

    /**
     * With nothing put aside.
     *
     * @param gains what the step in hand gains by so many draft tokens, beside none
     */
    Trials(StepCosts costs, IntToDoubleFunction gains) {
        this.costs = costs;
        this.gains = gains;
    }

    /** The first step was measured. */
    void begin(double nanos) {
        asideNanos = STEPS_FIRST * nanos;
    }

    /** Puts so much aside, or takes it, within {@value #STEPS_MAX} plain steps. */
    void putAside(double nanos, double plain) {
        asideNanos = Math.max(-STEPS_MAX * plain, Math.min(STEPS_MAX * plain, asideNanos + nanos));
    }

    /** Whether more than so much was put aside. */
    boolean affords(double nanos) {
        return asideNanos > nanos;
    }

    /** A step is over, which took so much less than it was thought to. */
    void settle(double nanos, double plain) {
        putAside(trying ? nanos : 0, plain);
    }

    /** The step in hand carried no drafts after all, as where they came late: nothing was lost. */
    void notMade() {
        asideNanos += trying ? lossNanos : 0;
        trying = false;
    }

    /** The step in hand is over. */
    void end() {
        trying = false;
    }

    /**
     * The number of draft tokens for the coming step.
     *
     * @param drafted most that it may carry
     * @param best the best number
     * @param knownGain what the best of those gains whose times are known
     */
    int choose(int batch, int drafted, int best, double knownGain) {
        double plain = costs.nanos(batch, batch);
        int unknown = unknown(batch, drafted);
        boolean onCredit = asideNanos >= HEARSAY_STEPS * plain;
        if (unknown >= 0 && (onCredit || loss(unknown, best, knownGain, plain) <= asideNanos)) {
            return tried(unknown, best, knownGain, plain);
        }
        int oldest = oldest(batch, drafted, best);
        return loss(oldest, best, knownGain, plain) <= asideNanos ? tried(oldest, best, knownGain, plain) : best;
    }

    /** What a step with so many is thought to gain less. */
    private double loss(int count, int best, double knownGain, double plain) {
        double gain = gains.applyAsDouble(count);
        return Math.min(gains.applyAsDouble(best) - gain, Math.max(knownGain - gain, plain));
    }

    private int tried(int count, int best, double knownGain, double plain) {
        trying = count != best;
        lossNanos = trying ? loss(count, best, knownGain, plain) : 0;
        putAside(-lossNanos, plain);
        return count;
    }

    /** Of the numbers measured a few times only the first above twice the largest that is known, or else the largest; -1: none. */
    private int unknown(int batch, int drafted) {
        int known = 0;
        for (int count = 0; count <= drafted; count++) {
            known = costs.knows(batch, batch + count) ? count : known;
        }
        int found = -1;
        for (int count = 0; count <= drafted && found <= 2 * known; count++) {
            found = costs.knows(batch, batch + count) ? found : count;
        }
        return found;
    }

    private int oldest(int batch, int drafted, int best) {
        int oldest = best;
        long age = STALE;
        for (int count = 0; count <= drafted; count++) {
            long since = costs.stepsSince(batch, batch + count);
            if (since > age && costs.knows(batch, batch + count)) {
                age = since;
                oldest = count;
            }
        }
        return oldest;
    }
}
