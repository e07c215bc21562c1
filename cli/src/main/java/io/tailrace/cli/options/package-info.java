/**
 * Options that several commands have in common, as picocli mixins, so that a name means the same everywhere: {@link
 * io.tailrace.cli.options.FiguresFile} ({@code --json}), {@link io.tailrace.cli.options.DeviceOptions} ({@code --device} and what
 * goes with it), {@link io.tailrace.cli.options.ServedDraftOptions} ({@code --strategy} of a served model).
 *
 * <pre>{@code
 * @Mixin
 * private FiguresFile figures = new FiguresFile();
 * ...
 * figures.check();            // before the work
 * figures.write(result);      // after it
 * }</pre>
 *
 * <p>Options of Kafka are in {@code cli.terminal}, those of one command with the command.
 */
package io.tailrace.cli.options;
