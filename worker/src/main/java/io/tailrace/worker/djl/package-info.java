/**
 * Models on DJL: the only package that knows the engine, behind the port {@link io.tailrace.worker.model}.
 *
 * <p>{@link io.tailrace.worker.djl.DjlModels} loads a Hugging Face directory; {@link io.tailrace.worker.djl.DjlModel} runs the
 * forward pass, which is written as TorchScript ({@code llama.torchscript}) and called once a pass;
 * {@link io.tailrace.worker.djl.DjlTokenizer} runs tokenizer.json.
 *
 * <pre>{@code
 * try (LanguageModel model = DjlModels.load(ModelOptions.of(directory));
 *         ModelSequence sequence = model.target().open()) {
 *     int[] prompt = model.tokenizer().encode("Once upon a time", true);
 *     Logits logits = model.target().forward(List.of(TreeInput.line(sequence, prompt, prompt.length - 1)));
 * }
 * }</pre>
 *
 * <p>Nothing is downloaded: the native libraries are Maven artifacts of the build and are unpacked once into a cache folder.
 * No tensor and no manager leaves this package.
 */
package io.tailrace.worker.djl;
