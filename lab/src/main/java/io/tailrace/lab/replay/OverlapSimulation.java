package io.tailrace.lab.replay;

import io.tailrace.worker.speculation.Forks;
import io.tailrace.worker.speculation.SpeculationCache;

/**
 * What a speculation cache would have hidden, told step by step from a trace.
 *
 * <p>While a step verifies, forks are prepared in their order by {@code preparers} at a time, each taking the draft's latency. The
 * step's ending is looked up when it is known: a fork that was prepared in time is a hit, and the next draft is there at once; one
 * that was not, or not at all, is a miss, and drafting then takes its latency while the model waits. So the first draft of a
 * request always waits. Nothing is measured here: latency and step time are given, hits come from the trace.
 */
public final class OverlapSimulation {
    private final long stepNanos;
    private final int preparers;
    private final SpeculationCache<Boolean> cache;
    private long steps;
    private long hiddenNanos;
    private long waitedNanos;

    /**
     * A simulation of one request after the other.
     *
     * @param entriesMax B, most forks prepared in a step
     * @param preparers drafts prepared at a time, at least 1
     * @param stepNanos how long a verification takes
     */
    public OverlapSimulation(int entriesMax, int preparers, long stepNanos) {
        if (preparers < 1 || stepNanos < 0) {
            throw new IllegalArgumentException(
                    "preparers must be >= 1 and stepNanos >= 0, got " + preparers + " and " + stepNanos);
        }
        this.stepNanos = stepNanos;
        this.preparers = preparers;
        this.cache = new SpeculationCache<>(entriesMax);
    }

    /** A request begins: its first draft is waited for. */
    public void begin(long draftNanos) {
        waitedNanos += draftNanos;
    }

    /**
     * A step with a draft behind it.
     *
     * @param forks prepared ones, in the order of preparation
     * @param lastAccepted the node at which it ended, or -1
     * @param ownToken the model's own token there
     * @param draftNanos latency of a draft, of each prepared one and of the one waited for after a miss
     * @return whether the next draft was there
     */
    public boolean step(Forks forks, int lastAccepted, int ownToken, long draftNanos) {
        for (int fork = 0; fork < forks.size(); fork++) {
            cache.put(forks.node(fork), forks.token(fork), Boolean.TRUE, (fork / preparers + 1) * draftNanos);
        }
        boolean hit = cache.take(lastAccepted, ownToken, stepNanos) != null;
        steps++;
        hiddenNanos += hit ? draftNanos : 0;
        waitedNanos += hit ? 0 : draftNanos;
        return hit;
    }

    /** What came out so far. */
    public Outcome outcome() {
        return new Outcome(steps, cache.hits(), cache.late(), cache.misses(), hiddenNanos, waitedNanos, stepNanos);
    }

    /**
     * A simulation's result.
     *
     * @param steps verifications whose next draft was looked up
     * @param hits next drafts that were there
     * @param late those that were being prepared but not ready: misses
     * @param misses those nobody prepared
     * @param hiddenNanos drafting time that took place behind verification
     * @param waitedNanos drafting time that the model waited for
     * @param stepNanos a verification's time
     */
    public record Outcome(
            long steps, long hits, long late, long misses, long hiddenNanos, long waitedNanos, long stepNanos) {
        public double hitRate() {
            return steps == 0 ? 0 : (double) hits / steps;
        }

        /** Share of all drafting time that was hidden. */
        public double hiddenShare() {
            long all = hiddenNanos + waitedNanos;
            return all == 0 ? 0 : (double) hiddenNanos / all;
        }

        /** How many times faster than waiting for every draft, steps taking their time in both cases. */
        public double speedUp() {
            double verifying = (double) steps * stepNanos;
            double waiting = verifying + waitedNanos;
            return waiting == 0 ? 1 : (waiting + hiddenNanos) / waiting;
        }
    }
}
