/**
 * What the job learns of a lane from its traffic: weights, policies, drift.
 *
 * <p>{@link io.tailrace.operators.learning.LanePolicy} is a policy as the publisher keeps it.
 *
 * <pre>{@code
 * LanePolicy next = policy.learned(policy.number() + 1, weights, learnedBefore, evidence);
 * }</pre>
 *
 * <p>Sequential tests, replay and averaging themselves are plain classes of {@link io.tailrace.suffix.learn}.
 */
package io.tailrace.operators.learning;
