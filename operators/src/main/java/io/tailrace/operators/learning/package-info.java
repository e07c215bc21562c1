/**
 * What the job makes of what it learns of a lane: policies and changes of retention, each judged before it goes live.
 *
 * <p>{@link io.tailrace.operators.learning.LaneLearning} averages what a lane's replicas have learned into candidates for its policy and
 * has them judged, so that no chain of them loses more than one may ({@code PolicyAnchor}); {@link io.tailrace.operators.learning.RetentionTrial} brings changes of retention before the same judge. Both work over a
 * {@link io.tailrace.operators.learning.LearningState}, which the lane's publisher checkpoints.
 *
 * <pre>{@code
 * LaneLearning learning = new LaneLearning(state.learning(), options);
 * learning.onReport(report).ifPresent(judgement -> ...);
 * learning.propose(live, nextNumber, now).ifPresent(notice -> ...);
 * }</pre>
 *
 * <p>Evaluation itself is in {@link io.tailrace.operators.evaluation}, drift in {@link io.tailrace.operators.drift}. What these checkpoint or tell, such as
 * {@link io.tailrace.operators.learning.ReplicaState} and {@link io.tailrace.operators.learning.DriftReport}, lies here and stays here: savepoints name
 * these classes. Sequential tests and averaging are plain classes of {@link io.tailrace.suffix.learn}.
 */
package io.tailrace.operators.learning;
