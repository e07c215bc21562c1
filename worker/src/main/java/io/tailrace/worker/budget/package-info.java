/**
 * How many draft tokens a verification step carries, so that drafting is never slower than decoding without.
 *
 * <p>A request's {@link io.tailrace.worker.budget.RequestBudget} is asked how much to draft, then
 * {@link io.tailrace.worker.budget.BudgetChoice} how much of all that was drafted to verify. {@link io.tailrace.worker.budget.MeasuredBudget} answers from the step times of this worker as
 * they are measured ({@link io.tailrace.worker.budget.StepCosts}) and from how well drafts' probabilities have held;
 * what drafting earned lately says how much may be risked on finding out more ({@code Earnings});
 * {@link io.tailrace.worker.budget.FixedBudget} verifies everything, for comparisons.
 *
 * <pre>{@code
 * RequestBudget request = choice.begin();
 * choice.trim(drafts, requests, nodes);
 * choice.measured(batch, verifiedTokens, nanos);
 * }</pre>
 *
 * <p>It does not draft. One thread.
 */
package io.tailrace.worker.budget;
