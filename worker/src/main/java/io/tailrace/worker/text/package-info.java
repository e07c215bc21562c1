/**
 * Answers as text: token by token, ending at stop strings.
 *
 * <p>{@link io.tailrace.worker.text.AnswerText} turns the tokens of one answer into text that may be shown, and holds back what
 * could still become a stop string.
 *
 * <pre>{@code
 * AnswerText text = new AnswerText(tokenizer.stream(), List.of("\n\n"));
 * out.write(text.append(token));
 * boolean ended = text.stopped();
 * }</pre>
 *
 * <p>It does not choose tokens.
 */
package io.tailrace.worker.text;
