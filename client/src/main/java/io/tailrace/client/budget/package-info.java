/**
 * How many draft tokens a verification step carries, so that drafting is never slower than decoding without.
 *
 * <p>A request's {@link io.tailrace.client.budget.RequestBudget} is asked how much to draft, then
 * {@link io.tailrace.client.budget.BudgetChoice} how much of all that was drafted to verify. {@link io.tailrace.client.budget.MeasuredBudget} answers from what steps cost, as this worker
 * measures and, until it has, as the lane's policy announces ({@link io.tailrace.client.budget.StepCosts}), and from how well drafts' probabilities have held;
 * what drafting earned lately says how much may be risked on finding out more ({@code Earnings});
 * {@link io.tailrace.client.budget.FixedBudget} verifies everything, for comparisons.
 *
 * <p>A replay ({@code worker.replay}) cuts its drafts with {@link io.tailrace.suffix.cost.BudgetChooser} instead. Both look for the most tokens a
 * second on the same curve, but here requests of a batch compete for a step's nodes, drafting is charged the time that it took, and own
 * times go before announced ones; there one request stands for itself, times are simulated, and neither the machine nor its clock may
 * change what is drafted, or a replay could not be repeated.
 *
 * <pre>{@code
 * RequestBudget request = choice.begin(snapshot.costCurve(workerClass));
 * choice.trim(drafts, requests, nodes);
 * choice.measured(batch, verifiedTokens, nanos);
 * }</pre>
 *
 * <p>It does not draft. One thread.
 */
package io.tailrace.client.budget;
