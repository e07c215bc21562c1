/**
 * What a served model costs and gains: forward passes by tree size and batch, and the same requests through the worker's HTTP API with drafts
 * and without, in turn.
 *
 * <p>{@link io.tailrace.lab.bench.serve.ServeBench} starts a worker, {@link io.tailrace.lab.bench.serve.LoadRound} sends it one round of
 * requests at a given concurrency, {@link io.tailrace.lab.bench.serve.StoryPrompts} says what is asked.
 * {@link io.tailrace.lab.bench.serve.HybridBench} sets two strategies side by side, {@link io.tailrace.lab.bench.serve.ForwardBench} times the
 * model alone.
 *
 * <pre>{@code
 * ServeBench.Report report = ServeBench.run(model, prompts, options, folder, line -> {});
 * double ratio = report.ratioMin(ServeBench.NON_REPETITIVE);
 * }</pre>
 *
 * <p>Nothing is simulated here: a model runs.
 */
package io.tailrace.lab.bench.serve;
