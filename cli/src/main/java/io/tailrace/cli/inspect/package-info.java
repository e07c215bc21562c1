/**
 * Looks into segment files: {@link io.tailrace.cli.inspect.InspectCommand} and its subcommands.
 *
 * <pre>
 * tailrace inspect check FILE...                       every byte, and the order's invariants
 * tailrace inspect stats FILE... --json                what is in it, in numbers
 * tailrace inspect match FILE... --context 5,6,7 -k 4  the nearest occurrences
 * tailrace inspect count FILE... --pattern 6,7         how often, and what follows
 * tailrace inspect dump FILE --documents               the documents: user data, so only when asked for
 * </pre>
 *
 * <p>Exit codes: 0 all is well, 1 a file was refused, 2 the command line was wrong. It never changes a file.
 */
package io.tailrace.cli.inspect;
