/**
 * What one request has said so far, indexed: {@link io.tailrace.suffix.context.ContextAutomaton}, a suffix automaton that
 * grows token by token and names the earlier places that match the context's end.
 *
 * <pre>{@code
 * ContextAutomaton own = new ContextAutomaton();
 * for (int token : prompt) {
 *     own.append(token);
 * }
 * own.occurrences(8, source, found);
 * }</pre>
 *
 * <p>It does not draft, and it is not shared: one automaton a request, reused for the next one by {@code reset}.
 */
package io.tailrace.suffix.context;
