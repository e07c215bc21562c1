package io.tailrace.worker.engine;

/**
 * How likely a token of an answer was: natural logarithms of the softmax over the whole vocabulary, before temperature, top-k and top-p. The same
 * with drafts and without.
 *
 * @param token that was chosen
 * @param logprob of it, at most 0
 * @param topTokens the likeliest tokens at its place, best first; as many as were asked for
 * @param topLogprobs theirs; negative infinity for a token that cannot come
 */
public record TokenLogprob(int token, double logprob, int[] topTokens, double[] topLogprobs) {}
