/**
 * How many draft tokens a verification step carries, so that drafting is never slower than decoding without.
 *
 * <p>A request's {@link io.tailrace.client.budget.RequestBudget} is asked how much to draft, then
 * {@link io.tailrace.client.budget.BudgetChoice} how much of all that was drafted to verify. {@link io.tailrace.client.budget.MeasuredBudget} answers from what steps cost, as this worker
 * measures and, until it has, as the lane's policy announces ({@link io.tailrace.client.budget.StepCosts}), and from how well drafts' probabilities have held;
 * what drafting earned lately says how much may be risked on finding out more ({@code Earnings});
 * {@link io.tailrace.client.budget.FixedBudget} verifies everything, for comparisons.
 *
 * <p>It is the one brain for this question. Whoever replays recorded answers asks it too, with a batch of one, times that are simulated, and
 * drafting that is charged nothing: then neither the machine nor its clock changes what is drafted.
 *
 * <pre>{@code
 * RequestBudget request = choice.begin(snapshot.costCurve(workerClass));
 * choice.trim(drafts, requests, most, nodes);
 * choice.measured(batch, verifiedTokens, nanos);
 * }</pre>
 *
 * <p>It does not draft. One thread.
 */
package io.tailrace.client.budget;
