package io.tailrace.worker.http;

import io.tailrace.worker.engine.TokenLogprob;
import java.util.List;

/**
 * What a step or a token adds to an answer.
 *
 * @param text that may be shown, which may be nothing
 * @param logprobs of its tokens, if they are asked for; what is shown of the text may be of earlier ones
 */
record AnswerPart(String text, List<TokenLogprob> logprobs) {}
