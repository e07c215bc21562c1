/**
 * {@code tailrace dev}: the whole loop with a model, in one process, for who writes an application.
 *
 * <p>{@link io.tailrace.cli.dev.DevCommand} opens a folder that is kept from run to run, starts the loop of module local at fixed ports,
 * serves a model as {@code tailrace worker} does, and says of each answer what other answers did for it.
 *
 * <pre>{@code
 * int exitCode = Tailrace.commandLine().execute("dev");
 * }</pre>
 *
 * <p>Loopback addresses and one broker only: not for production.
 */
package io.tailrace.cli.dev;
