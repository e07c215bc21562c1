/**
 * A small model for who has none at hand: what a demo or a first try serves, without a download.
 *
 * <p>{@link io.tailrace.worker.smallmodel.SmallLlama} writes a Hugging Face directory of random weights and a tokenizer that
 * takes any text.
 *
 * <pre>{@code
 * SmallLlama.make(folder);
 * try (LanguageModel model = DjlModels.load(ModelOptions.of(folder))) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Nobody trained it: it shows how requests run and what drafting does, and says nothing of how well a model answers.
 */
package io.tailrace.worker.smallmodel;
