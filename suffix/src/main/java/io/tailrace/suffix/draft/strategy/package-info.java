/**
 * Published drafting methods beside the default, faithful to their papers: for ablations, and for users who want them. Each
 * class cites what it follows; each is a {@link io.tailrace.suffix.draft.Drafter}:
 *
 * <pre>{@code
 * Drafter drafter = new PromptLookupDrafter();
 * }</pre>
 *
 * <p>None of them learns, and none gives calibrated probabilities; that is what
 * {@link io.tailrace.suffix.draft.AdaptiveDrafter} is for.
 */
package io.tailrace.suffix.draft.strategy;
