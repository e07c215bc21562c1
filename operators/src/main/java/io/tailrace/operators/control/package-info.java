/**
 * Operators' commands on their way into the stream.
 *
 * <p>{@link io.tailrace.operators.control.ControlCommand.Decoding} turns topic control into
 * {@link io.tailrace.operators.control.ControlCommand}s. {@link io.tailrace.operators.control.SingleJob} takes jobs' claims out of them and ends a job
 * whose installation another has claimed. The rest is broadcast to shards and publishers, which keep the
 * deletes in {@link io.tailrace.operators.control.ControlState} and, per lane, as
 * {@link io.tailrace.operators.control.Tombstone}s.
 *
 * <pre>{@code
 * Tombstones tombstones = new Tombstones(deletes.tombstones());
 * if (tombstones.covers(hash.high(), hash.low(), completedAt)) { ... forget it ... }
 * }</pre>
 *
 * <p>It decides nothing about segments and versions; workers read the same topic by themselves.
 */
package io.tailrace.operators.control;
