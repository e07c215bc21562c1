/**
 * What a Hugging Face directory says of a Llama-architecture model: its shape, where its weights lie, how it wants to be
 * talked to.
 *
 * <p>{@link io.tailrace.worker.huggingface.ModelConfigFile} reads config.json; {@link io.tailrace.worker.huggingface.WeightFiles}
 * finds tensors in one or many safetensors files, whose numbers may be fp32, fp16 or bf16;
 * {@link io.tailrace.worker.huggingface.JinjaChatTemplate} finds the chat template, which {@link io.tailrace.worker.jinja} renders.
 *
 * <pre>{@code
 * LlamaConfig config = ModelConfigFile.read(directory);
 * StoredTensor norm = WeightFiles.open(directory).tensor("model.norm.weight").requireShape(config.hidden());
 * String prompt = JinjaChatTemplate.read(directory).orElseThrow().render(List.of(new ChatTemplate.Message("user", "Hello")), true);
 * }</pre>
 *
 * <p>Whatever is missing, truncated or of another kind of model is refused with the file's name and what to do. Templates get
 * {@code messages}, {@code add_generation_prompt}, {@code bos_token}, {@code eos_token} and {@code raise_exception}, {@code tools} as a
 * list or None, and {@code documents} as None. This package computes nothing, downloads nothing and knows no engine.
 */
package io.tailrace.worker.huggingface;
