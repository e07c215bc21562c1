/**
 * What a Hugging Face directory says of a Llama-architecture model: its shape and where its weights lie.
 *
 * <p>{@link io.tailrace.worker.weights.ConfigFile} reads config.json; {@link io.tailrace.worker.weights.WeightFiles} finds
 * tensors in one or many safetensors files, whose numbers may be fp32, fp16 or bf16.
 *
 * <pre>{@code
 * LlamaConfig config = ConfigFile.read(directory);
 * StoredTensor norm = WeightFiles.open(directory).tensor("model.norm.weight").requireShape(config.hidden());
 * }</pre>
 *
 * <p>Whatever is missing, truncated or of another kind of model is refused with the file's name and what to do. This package
 * computes nothing and knows no engine.
 */
package io.tailrace.worker.weights;
