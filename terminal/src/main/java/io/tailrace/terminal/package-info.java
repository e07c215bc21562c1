/**
 * What the commands of all modules share: reading options, exit codes, what is said when a command fails, tables, JSON files, a
 * progress line.
 *
 * <p>{@link io.tailrace.terminal.ConfiguredCommandLine} reads options: everyday ones stand in the help, rare ones are hidden, all of
 * them may stand in {@code --config FILE}, and numbers lie within their {@link io.tailrace.terminal.Bounds}. {@link
 * io.tailrace.terminal.Failures} maps what goes wrong to a line and an exit code.
 *
 * <pre>{@code
 * new Table("topic", "partitions").row("generations", 8).print(out);
 * }</pre>
 *
 * <p>This module knows no command, and nothing else of Tailrace.
 */
package io.tailrace.terminal;
