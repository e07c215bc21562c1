/**
 * Which token comes next, given a model's logits: greedy, or drawn from the distribution that temperature, top-k and top-p
 * leave.
 *
 * <p>{@link io.tailrace.worker.sampling.TokenSampler} chooses one token. Its random numbers are a function of seed, position
 * and token, so the choice at a position does not depend on how many tokens were verified at once: output with drafts equals
 * output without. {@link io.tailrace.suffix.draft.AcceptedPath} goes down a verified tree with it.
 *
 * <pre>{@code
 * TokenSampler sampler = new TokenSampler();
 * int token = sampler.sample(new SamplingParameters(0.8f, 40, 0.95f, 7), logits, vocabularySize, position);
 * }</pre>
 *
 * <p>Plain Java: no model, no text. Stop strings belong to whoever turns tokens into text.
 */
package io.tailrace.worker.sampling;
