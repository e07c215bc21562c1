/**
 * A lane's policy inside the job.
 *
 * <p>{@link io.tailrace.operators.policy.LanePolicy} is a policy as the publisher keeps it and as commands bring it.
 *
 * <pre>{@code
 * LanePolicy next = policy.learned(number, weights, learnedBefore, evidence);
 * }</pre>
 *
 * <p>How policies are learned and judged is in {@link io.tailrace.operators.learning}.
 */
package io.tailrace.operators.policy;
