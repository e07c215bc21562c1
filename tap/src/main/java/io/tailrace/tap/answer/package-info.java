/**
 * Reads what clients asked and servers answered, as OpenAI's API and vLLM's additions to it have it.
 *
 * <p>{@link io.tailrace.tap.answer.AskedCall} is a request, {@link io.tailrace.tap.answer.ReadAnswer} an answer, whole or of server-sent events, with the
 * token ids if the server gave them. {@link io.tailrace.tap.answer.BodyText} undoes compression.
 *
 * <pre>{@code
 * ReadAnswer answer = ReadAnswer.read("text/event-stream", bytes);
 * int[] ids = answer.choices().get(0).ids();
 * }</pre>
 *
 * <p>It judges nothing: whether an answer is published is decided elsewhere.
 */
package io.tailrace.tap.answer;
