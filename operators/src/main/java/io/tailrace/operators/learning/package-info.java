/**
 * What the job makes of what it learns of a lane: policies and changes of retention, each judged before it goes live.
 *
 * <p>{@link io.tailrace.operators.learning.LaneLearning} averages what a lane's replicas have learned into candidates for its policy and
 * has them judged, so that no chain of them loses more than one may ({@code PolicyAnchor}); {@link io.tailrace.operators.learning.RetentionTrial} brings changes of retention before the same judge. A
 * {@link io.tailrace.operators.learning.LanePolicy} is a policy inside the job.
 *
 * <pre>{@code
 * LaneLearning learning = new LaneLearning(LaneLearning.State.BEGUN, options);
 * learning.onReport(report).ifPresent(judgement -> ...);
 * learning.propose(live, nextNumber, now).ifPresent(notice -> ...);
 * }</pre>
 *
 * <p>Evaluation itself is in {@link io.tailrace.operators.evaluation}, drift in {@link io.tailrace.operators.drift}. Sequential tests and averaging are plain
 * classes of {@link io.tailrace.suffix.learn}.
 */
package io.tailrace.operators.learning;
