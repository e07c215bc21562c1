/**
 * The laboratory: everything that measures Tailrace, and the demo. {@code replay} runs recorded requests through a drafter, {@code load} runs
 * them against a fleet, {@code bench} times parts and the whole loop. The product does not know this module; the launcher finds its
 * commands by {@link io.tailrace.cli.CommandGroup}.
 */
package io.tailrace.lab;
