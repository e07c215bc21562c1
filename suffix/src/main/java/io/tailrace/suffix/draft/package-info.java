/**
 * Drafting: what a request says next, from its own context and from what the fleet has answered.
 *
 * <p>The main type is {@link io.tailrace.suffix.draft.AdaptiveDrafter}. One per running request (or reused from request
 * to request), its {@link io.tailrace.suffix.draft.Mixer} shared by the requests of one thread:
 *
 * <pre>{@code
 * Drafter drafter = new AdaptiveDrafter(mixer, policy);
 * drafter.begin(prompt, prompt.length);
 * while (running) {
 *     Draft draft = drafter.draft(lane, 16);
 *     int length = verifier.verify(draft, tokens); // accepted path, then the model's own token
 *     drafter.verified(tokens, length);
 * }
 * }</pre>
 *
 * <p>Nothing here verifies, samples, does input or output, logs, or knows where an index comes from.
 */
package io.tailrace.suffix.draft;
