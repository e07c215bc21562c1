/**
 * Experiments on the whole loop on one machine: {@code bench shift}, {@code bench fleet} and {@code bench ingest}.
 *
 * <p>{@link io.tailrace.lab.bench.loop.LoopRun} serves recorded requests through broker, job and workers;
 * {@link io.tailrace.lab.bench.loop.IngestRun} measures the processor time of a job in a process of its own.
 *
 * <pre>{@code
 * tailrace bench shift --data recordings --json shift.json
 * tailrace bench ingest --data recordings --json ingest.json
 * }</pre>
 *
 * <p>They judge nothing: figures are printed beside the goals.
 */
package io.tailrace.lab.bench.loop;
