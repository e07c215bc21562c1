/**
 * Drafting: what a request says next, from its own context and from what the fleet has answered. Three nouns: a {@link
 * io.tailrace.suffix.draft.Draft} is what is proposed, a tree of tokens; a {@link io.tailrace.suffix.draft.Drafter} grows it; a {@link
 * io.tailrace.suffix.draft.DraftPolicy} limits it.
 *
 * <p>The main type is {@link io.tailrace.suffix.draft.AdaptiveDrafter}. One per running request (or reused from request
 * to request), its {@link io.tailrace.suffix.draft.Mixer} shared by the requests of one thread (from the example {@code OneRequest},
 * compiled and run as a test):
 *
 * <pre>{@code
 * Drafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
 * drafter.begin(prompt, prompt.length);
 * int steps = 0;
 * for (int[] tokens = verifier.verify(drafter.draft(lane, 16)); tokens.length > 0; steps++) {
 *     drafter.verified(tokens, tokens.length);
 *     tokens = verifier.verify(drafter.draft(lane, 16));
 * }
 * }</pre>
 *
 * <p>Nothing here verifies, samples, does input or output, logs, or knows where an index comes from.
 */
package io.tailrace.suffix.draft;
