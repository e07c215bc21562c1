package io.tailrace.operators.learning;

import java.util.HashMap;
import java.util.Map;

/** All that a replica of a lane's replay checkpoints. A Flink POJO; only the replay gives its fields meaning. */
public final class ReplicaState {
    /** Mixer weights as learned so far; null: the defaults. */
    public float[] weights;
    /** Labelled places they were learned from. */
    public long evidence;
    /** What they were learned from was completed before, epoch milliseconds. */
    public long learnedUntil;
    /** Replayed so far. */
    public ReplayTotals totals = ReplayTotals.ZERO;
    /** What other choices would have given, by name. */
    public Map<String, ReplayTotals> choices = new HashMap<>();
    /** The trial that the steps below are of; 0: none. */
    public long trial;
    /** Steps with the live policy, generation by generation, since the last report. */
    public int[] liveSteps = {};
    /** Steps with the candidate. */
    public int[] candidateSteps = {};
    /** Steps with the best policy that was shown; none where that is the live one. */
    public int[] anchorSteps = {};
}
