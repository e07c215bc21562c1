/**
 * The launcher's commands, a class each; subcommands stand within theirs.
 *
 * <p>{@link io.tailrace.cli.Tailrace} is the main class; it knows every command and maps what goes wrong to exit codes. All
 * commands share their habits: a table for people, mostly {@code --json FILE} for programs (docs/reference/json-output.md), exit code 0 (done), 1 (ran, but fell
 * short) or 2 (bad input or usage).
 *
 * <pre>{@code
 * int exitCode = Tailrace.commandLine().execute("topics", "list");
 * }</pre>
 *
 * <p>Everyday options are in a command's help, under the headings of the classes they stand in ({@link
 * io.tailrace.terminal.OptionHeadings}); all of them are in docs/reference/options.md, which {@link io.tailrace.cli.OptionsPage} makes.
 *
 * <p>Commands check their arguments, call the modules and print. Commands of modules above this one come by {@link
 * io.tailrace.cli.CommandGroup}.
 */
package io.tailrace.cli;
