/**
 * What a function says right before a checkpoint's barrier passes on.
 *
 * <p>A barrier cuts every stream of the job at one moment. What a {@link io.tailrace.operators.barriers.BeforeBarrier} says of itself there reaches the
 * next function before the barrier does. So whoever adds up what several functions have said, adds up numbers of one moment when its own barrier comes.
 *
 * <pre>{@code
 * generations.connect(signals.broadcast())
 *         .transform("admission", type, new TellingBroadcast<>(admission, LaneSignal.descriptor()));
 * }</pre>
 *
 * <p>Functions with timers get the same from {@link io.tailrace.operators.timers.SteadyProcess}. This holds for aligned checkpoints, the only ones that
 * the job makes.
 */
package io.tailrace.operators.barriers;
