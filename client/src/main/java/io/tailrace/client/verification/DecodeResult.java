package io.tailrace.client.verification;

/**
 * A decoded request.
 *
 * @param output what was emitted: the accepted tokens and one bonus token a step
 * @param tally what the steps add up to
 * @param snapshotVersionFirst version at the first step; 0 if none was loaded
 * @param snapshotVersionLast version at the last step; 0 if none was loaded
 */
public record DecodeResult(int[] output, DecodeTally tally, long snapshotVersionFirst, long snapshotVersionLast) {
    public double tokensPerStep() {
        return tally.steps() == 0 ? 0 : (double) output.length / tally.steps();
    }
}
