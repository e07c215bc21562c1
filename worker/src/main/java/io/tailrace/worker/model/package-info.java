/**
 * What serving needs of a language model, and nothing of how it is computed: a port.
 *
 * <p>{@link io.tailrace.worker.model.TargetModel} runs the forward pass over trees of tokens of several requests;
 * {@link io.tailrace.worker.model.ModelSequence} is one request's place in the KV cache;
 * {@link io.tailrace.worker.model.TextTokenizer} and {@link io.tailrace.worker.model.ChatTemplate} stand between text and token
 * ids. Greedy verification of a draft behind a prompt:
 *
 * <pre>{@code
 * try (ModelSequence sequence = model.open()) {
 *     Logits logits = model.forward(List.of(TreeInput.line(sequence, prompt, prompt.length - 1)));
 *     int next = logits.argmax(0, prompt.length - 1);
 *     sequence.commitAll();
 *     // node 0 is the model's own last token, the draft hangs below it
 *     logits = model.forward(List.of(TreeInput.tree(sequence, new int[] {next, 17, 4}, new int[] {-1, 0, 0})));
 *     boolean seventeen = logits.argmax(0, 0) == 17;
 *     sequence.commit(new int[] {0, 1}, seventeen ? 2 : 1);
 * }
 * }</pre>
 *
 * <p>This package samples nothing, schedules nothing and imports no engine.
 */
package io.tailrace.worker.model;
