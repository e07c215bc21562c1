/**
 * What flows between the job's parts beside generations: samples to evaluate, what is watched for drift, and what the job itself
 * announced, which comes back to it through topics snapshots and events.
 *
 * <p>{@link io.tailrace.operators.signals.SignalDecoding} turns those topics into {@link io.tailrace.operators.signals.LaneSignal}s,
 * which are broadcast.
 *
 * <pre>{@code
 * BroadcastStream<LaneSignal> signals = raw.flatMap(SignalDecoding.ofSnapshots(trusted)).broadcast(LaneSignal.descriptor());
 * }</pre>
 *
 * <p>It decides nothing.
 */
package io.tailrace.operators.signals;
