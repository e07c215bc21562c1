/**
 * The console: pages on which operators look at an installation and, where they are named, act on it.
 *
 * <p>{@link io.tailrace.cli.console.Console} answers a browser. Each page is a {@link io.tailrace.cli.console.Page} of headings, tables and charts, made from the
 * one read model in {@link io.tailrace.cli.fleet} and rendered by one template, which escapes all that comes from records.
 *
 * <pre>{@code
 * try (FollowedFleet fleet = FollowedFleet.start(topics);
 *         Console console = Console.start(fleet, Optional.empty(), Optional.empty(), "127.0.0.1", 9470)) { ... }
 * }</pre>
 *
 * <p>An {@link io.tailrace.cli.console.Action} is shown by {@link io.tailrace.cli.console.Actions} before it is carried out, by the same code as commands.
 *
 * <p>Nothing is computed here but what charts need, and nothing is loaded from elsewhere: script, style and the chart library come from the class path.
 */
package io.tailrace.cli.console;
