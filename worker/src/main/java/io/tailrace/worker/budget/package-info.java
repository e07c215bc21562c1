/**
 * How many draft tokens a verification step carries, so that drafting is never slower than decoding without.
 *
 * <p>{@link io.tailrace.worker.budget.BudgetChoice} is asked twice a step: how much to draft before drafting, and how much of
 * what was drafted to verify. {@link io.tailrace.worker.budget.MeasuredBudget} answers from the step times of this worker as
 * they are measured ({@link io.tailrace.worker.budget.StepCosts}) and from how well drafts' probabilities have held;
 * what drafting earned lately says how much may be risked on finding out more ({@code Earnings});
 * {@link io.tailrace.worker.budget.FixedBudget} verifies everything, for comparisons.
 *
 * <pre>{@code
 * int budget = choice.draftTokens(request, batch);
 * choice.trim(drafts, batch, nodes);
 * choice.measured(batch, verifiedTokens, micros);
 * }</pre>
 *
 * <p>It does not draft. One thread.
 */
package io.tailrace.worker.budget;
