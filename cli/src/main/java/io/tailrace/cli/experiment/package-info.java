/**
 * The experiments of the {@code bench} command: each a question, answered by replays, with the tables that
 * {@code docs/BENCHMARKS.md} shows.
 *
 * <p>Each is a small class on top of {@link io.tailrace.cli.experiment.ExperimentCommand}; trials and tables are made by
 * {@link io.tailrace.bench.experiment}. All can be broken off and go on where they stopped, with {@code --results}.
 *
 * <pre>{@code
 * tailrace bench silos --input recordings/*.jsonl.gz --threads 2 --results silos.jsonl --page docs/BENCHMARKS.md
 * }</pre>
 */
package io.tailrace.cli.experiment;
