/**
 * What a producer who floods a scope with junk costs the others in it, and how soon they recover.
 *
 * <p>{@link io.tailrace.lab.bench.poison.Flood} makes junk, {@link io.tailrace.lab.bench.poison.Quotas} lets through what the job would,
 * {@link io.tailrace.lab.bench.poison.PoisonedReplay} replays recorded requests before, during and after it against one lane, and
 * {@link io.tailrace.lab.bench.poison.Damage} compares with the same requests without a flood.
 *
 * <pre>{@code
 * PoisonedReplay replay = new PoisonedReplay(stream.cases(), 16);
 * Damage damage = Damage.of(replay.run(null), replay.run(dose), replay.phases());
 * }</pre>
 *
 * <p>Recorded answers stand in for the model, the lane is replay's, and the clock is made: nothing here depends on the machine. The job's learning
 * of policies takes no part; each request's drafter learns as a worker's does.
 */
package io.tailrace.lab.bench.poison;
