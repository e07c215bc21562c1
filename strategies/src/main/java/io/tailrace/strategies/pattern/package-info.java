/**
 * Published methods that draft what followed the context's end before: {@link
 * io.tailrace.strategies.pattern.SuffixDecodingDrafter} and {@link
 * io.tailrace.strategies.pattern.SamDecodingDrafter}.
 *
 * <p>Their papers build a suffix tree, or a suffix automaton, of the request and of all earlier responses. Here nothing is
 * built: both structures answer where a pattern ends, and a lane's indexes know that. {@link
 * io.tailrace.strategies.pattern.PatternPlaces} holds the places of every pattern of one context, {@link
 * io.tailrace.strategies.pattern.ContinuationTrie} counts what follows them.
 *
 * <pre>{@code
 * Drafter drafter = new SuffixDecodingDrafter(SuffixDecodingSettings.published());
 * drafter.begin(prompt, prompt.length);
 * Draft draft = drafter.draft(lane, 16);
 * }</pre>
 */
package io.tailrace.strategies.pattern;
