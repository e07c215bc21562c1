/**
 * Tiny Llama-architecture models for tests: random weights of a seed, written as a Hugging Face directory, and their forward
 * pass in double precision as an oracle.
 *
 * <pre>{@code
 * TinyLlama model = TinyLlama.random(TinyLlama.Shape.small(), 42);
 * Path directory = ModelDirectory.write(temporary, model, ModelDirectory.WeightType.BF16, 3);
 * double[][] logits = new ReferenceLlama(model.shape(), ModelDirectory.EPSILON, model.weights()).line(tokens);
 * }</pre>
 *
 * <p>Such a model speaks nonsense; it shows whether code is right, not what drafting gains.
 */
package io.tailrace.testkit.llama;
