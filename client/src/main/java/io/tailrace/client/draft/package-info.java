/**
 * Drafting for a serving engine, without a model and without logits.
 *
 * <p>A {@link io.tailrace.client.draft.DraftSource} drafts for all requests of a step at once and hears what became of it;
 * {@link io.tailrace.client.TailraceClient#drafts} gives the one that drafts from lanes. An engine makes its steps with a
 * {@link io.tailrace.client.draft.DraftPlan}, whose types keep the order.
 *
 * <pre>{@code
 * DraftPlan plan = new DraftPlan(source);
 * RequestDrafts request = source.begin("acme", prompt);
 * int place = plan.add(request, budget, 0);
 * DraftedStep step = plan.draft(); // for all requests of the batch
 * engine.verify(step.draft(place));
 * step.verified(outcomes); // what each of them emitted; then the next step
 * }</pre>
 *
 * <p>How much to draft is {@code client.budget}'s question, what snapshots there are {@code client.follow}'s. Nothing here verifies.
 */
package io.tailrace.client.draft;
