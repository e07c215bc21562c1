/**
 * Drafting strategies by name: the default, and published methods beside it, faithful to their papers, for ablations and for
 * users who want them. Each class cites what it follows; each is a {@link io.tailrace.suffix.draft.Drafter}.
 * {@link io.tailrace.strategies.Strategy} knows them all and makes fresh drafters:
 *
 * <pre>{@code
 * Drafter drafter = Strategy.named("prompt-lookup").drafter(StrategySettings.defaults());
 * Drafter shorter = StrategyChoice.parse("prompt-lookup:ngram=2:tokens=5").drafter(new float[0]);
 * }</pre>
 *
 * <p>None of the published methods learns, and none gives calibrated probabilities; that is what
 * {@link io.tailrace.suffix.draft.AdaptiveDrafter} is for.
 */
package io.tailrace.strategies;
