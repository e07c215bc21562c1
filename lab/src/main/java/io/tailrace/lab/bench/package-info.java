/**
 * The {@code bench} command: measures on this machine what the documents claim.
 *
 * <p>{@link io.tailrace.lab.bench.BenchCommand} groups the experiments; each is a class of its own here and calls into module
 * {@code bench}, which does the measuring. {@link io.tailrace.cli.terminal.Machine} says where a figure was taken.
 *
 * <pre>{@code
 * tailrace bench index --tokens 5000000 --data recordings --json index.json
 * }</pre>
 *
 * <p>Figures are printed beside the goals. {@code bench serve} exits with 1 where it falls short of its own; elsewhere a slow machine is no
 * error.
 */
package io.tailrace.lab.bench;
