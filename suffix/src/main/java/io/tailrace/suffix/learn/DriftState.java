package io.tailrace.suffix.learn;

/** What a {@link DriftDetector} remembers of one lane; plain fields, so that it can be checkpointed. */
public final class DriftState {
    /** Tokens of the reference generations, by bucket. */
    public int[] tokenCounts = new int[TokenReference.BUCKETS];

    public long tokensCounted;
    /** Generations in the reference so far. */
    public int referenceGenerations;
    /** Bits a token under the reference. */
    public SequenceState novelty = new SequenceState();
    /** Nats a prediction. */
    public SequenceState logLoss = new SequenceState();
    /** Generations seen. */
    public long generations;
    /** Alarms raised. */
    public long alarms;
    /** When the last one was raised, epoch milliseconds; 0: never. */
    public long alarmedAt;
    /** Generations for which the alarm stays on; 0: no alarm is on. */
    public int alarmLeft;
}
