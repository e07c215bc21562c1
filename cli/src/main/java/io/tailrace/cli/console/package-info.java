/**
 * The console: pages on which operators look at an installation. They change nothing.
 *
 * <p>{@link io.tailrace.cli.console.Console} answers a browser. Each page is a {@link io.tailrace.cli.console.Page} of headings, tables and charts, made from the
 * one read model in {@link io.tailrace.cli.fleet} and rendered by one template, which escapes all that comes from records.
 *
 * <pre>{@code
 * try (FollowedFleet fleet = FollowedFleet.start(topics);
 *         Console console = Console.start(fleet, "127.0.0.1", 9470)) { ... }
 * }</pre>
 *
 * <p>Nothing is computed here but what charts need, and nothing is loaded from elsewhere: script, style and the chart library come from the class path.
 */
package io.tailrace.cli.console;
