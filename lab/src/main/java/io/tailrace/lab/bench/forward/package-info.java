/**
 * What a verification costs: forward passes of a model by tree size and batch.
 *
 * <p>{@link io.tailrace.lab.bench.forward.ForwardBench} times them; {@code tailrace bench forward} prints them.
 *
 * <pre>{@code
 * List<ForwardBench.Row> rows = ForwardBench.run(model, new ForwardBench.Options(128, 300));
 * }</pre>
 *
 * <p>It measures the engine alone: no drafting, no sampling, no HTTP.
 */
package io.tailrace.lab.bench.forward;
