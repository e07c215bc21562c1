/**
 * What drafting gives a served model, measured through its HTTP API: the same requests with drafts and without, in turn.
 *
 * <p>{@link io.tailrace.lab.bench.serve.ServeBench} starts a worker, {@link io.tailrace.lab.bench.serve.LoadRound} sends it one round of
 * requests at a given concurrency, {@link io.tailrace.lab.bench.serve.StoryPrompts} says what is asked.
 *
 * <pre>{@code
 * ServeBench.Report report = ServeBench.run(model, prompts, options, folder, line -> {});
 * double ratio = report.ratioMin(ServeBench.NON_REPETITIVE);
 * }</pre>
 *
 * <p>Nothing is simulated here.
 */
package io.tailrace.lab.bench.serve;
