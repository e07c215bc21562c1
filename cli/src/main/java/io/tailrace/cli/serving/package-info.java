/**
 * What serves and what listens: {@code tailrace worker}, a model over HTTP, and {@code tailrace tap}, a proxy that publishes what any other server answers.
 *
 * <p>{@link io.tailrace.cli.serving.WorkerCommand} reads options, each group of them in a class of its own, and starts a {@code
 * ServingProcess}. {@link io.tailrace.cli.serving.DeviceOptions} and {@link io.tailrace.cli.serving.ServedDraftOptions} are those
 * of every command that loads a model.
 *
 * <pre>{@code
 * @Mixin
 * private DeviceOptions device = new DeviceOptions();
 * ...
 * LanguageModel model = device.load(folder, 0, 16_384);
 * }</pre>
 *
 * <p>Options and words only; what they start lies in modules {@code worker} and {@code tap}.
 */
package io.tailrace.cli.serving;
