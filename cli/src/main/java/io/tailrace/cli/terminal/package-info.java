/**
 * What the commands share: exit codes, tables, JSON files, a progress line, and {@code --json}.
 *
 * <pre>{@code
 * new Table("topic", "partitions").row("generations", 8).print(out);
 * }</pre>
 *
 * <p>This package knows no command.
 */
package io.tailrace.cli.terminal;
