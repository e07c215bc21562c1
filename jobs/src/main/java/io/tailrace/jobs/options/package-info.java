/**
 * The index job's options: each with its default and its description in one place, checked before anything starts.
 *
 * <p>{@link io.tailrace.jobs.options.IndexJobOptions} holds them in groups, as picocli mix-ins, so that the job's own
 * {@code main} and the launcher share them.
 *
 * <pre>{@code
 * IndexJobOptions options = IndexJobOptions.parse("--bootstrap", "localhost:9092", "--store", "file:///var/tailrace",
 *         "--model", "llama@1,vocabulary=128256,tokenizer=3f2a");
 * }</pre>
 *
 * <p>{@link io.tailrace.terminal.ConfiguredCommandLine} reads them, as it reads those of every other command.
 *
 * <p>Flink's own settings (parallelism, state backend, restart strategy) are not here: they belong to the cluster.
 */
package io.tailrace.jobs.options;
