/**
 * Evaluates a share of a lane's generations against its announced snapshots, exactly as a worker sees them.
 *
 * <p>{@link io.tailrace.operators.evaluation.Evaluator} is the Flink function, keyed by lane and replica. It keeps each lane's last announced version mapped
 * ({@code LaneFollowing}), and what a candidate would change of it ({@code TrialFollowing}); {@code EvaluationQueue} evaluates beside the stream, which does not wait for
 * it; {@code Replica} learns mixer weights, counts what drafting gives, and scores candidates. What else is counted on the same generations,
 * by option, is a {@link io.tailrace.operators.evaluation.EvaluationChoice}.
 *
 * <pre>{@code
 * samples.keyBy(EvaluationSample::replicaKey).connect(signals.broadcast(LaneSignal.descriptor()))
 *        .process(new Evaluator(Evaluator.Options.defaults(), models, stores, scratch));
 * }</pre>
 *
 * <p>It decides nothing: what its reports bring about is in {@link io.tailrace.operators.learning}.
 */
package io.tailrace.operators.evaluation;
