/**
 * What serving needs of a language model, and nothing of how it is computed: a port, and the bookkeeping of a forward pass.
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
 * <p>The bookkeeping is for those who stand behind the port: {@link io.tailrace.worker.model.CacheRows} is the KV cache's free
 * list, {@link io.tailrace.worker.model.CachedSequence} a request's rows of it, {@link io.tailrace.worker.model.PassPlanner} makes
 * a {@link io.tailrace.worker.model.PassPlan} of a batch: which tokens look at which, and how requests of different lengths share
 * one pass.
 *
 * <p>This package computes no attention, touches no native memory, samples nothing, schedules nothing and imports no engine.
 */
package io.tailrace.worker.model;
