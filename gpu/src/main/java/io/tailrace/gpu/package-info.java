/**
 * Drafting on a GPU: what the device reads, and what it gives back.
 *
 * <p>The device's own code is C++ that compiles with g++ and nvcc alike ({@code src/main/cuda}): a request's own context in a
 * fixed slot, search in the unchanged bytes of segments, voting, the draft's growth, sampling and acceptance. Its drafts
 * are those of {@link io.tailrace.suffix.draft.AdaptiveDrafter} for the same snapshot, weights and context, to the last bit of
 * each probability; the tables behind the arithmetic come from Java ({@link io.tailrace.gpu.PolicyImage}, {@link
 * io.tailrace.gpu.VocabularyImage}), and so do the answers to similar requests ({@link io.tailrace.gpu.SimilarImage}).
 *
 * <p>It does not learn: the weights are the policy's, and change when the host uploads others.
 */
package io.tailrace.gpu;
