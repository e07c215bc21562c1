/**
 * {@code bench scale}: what an installation costs as it grows, in lanes, in traffic and in followers.
 *
 * <p>{@link io.tailrace.lab.bench.scale.ScaleBench} makes an installation for each point: a broker in this process, the job in a process of its
 * own ({@link io.tailrace.lab.bench.scale.CountedJob}) whose store is counted, and followers that fetch from a counted store.
 * {@link io.tailrace.lab.bench.scale.Growth} says how a cost grows from point to point.
 *
 * <pre>{@code
 * tailrace bench scale --lanes 1,10,100 --json scale.json
 * }</pre>
 */
package io.tailrace.lab.bench.scale;
