/**
 * The launcher's commands, one class each.
 *
 * <p>{@link io.tailrace.cli.Tailrace} is the main class; it knows every command and maps what goes wrong to exit codes. All
 * commands share their habits: a table for people, mostly {@code --json FILE} for programs (docs/reference/json-output.md), exit code 0 (done), 1 (ran, but fell
 * short) or 2 (bad input or usage).
 *
 * <pre>{@code
 * int exitCode = Tailrace.commandLine().execute("topics", "list");
 * }</pre>
 *
 * <p>Commands check their arguments, call the modules and print; what needs the whole loop to be measured ({@code bench.loop}, {@code demo})
 * is measured here, since only this module sees both {@code bench} and {@code local}.
 */
package io.tailrace.cli;
