/**
 * What a verification costs, and how many draft tokens are worth it.
 *
 * <p>{@link io.tailrace.suffix.cost.CostFit} fits step times to a monotone {@link io.tailrace.suffix.cost.CostCurve};
 * {@link io.tailrace.suffix.cost.BudgetChooser} cuts each draft to the length that makes the most tokens a second, down to nothing,
 * and keeps trying often enough to notice when drafting pays again.
 *
 * <pre>{@code
 * int tokens = chooser.choose(draft, curve, batch); // its first so many pay
 * ...
 * chooser.verified(accepted, firstToken);
 * }</pre>
 *
 * <p>Nothing here measures time.
 */
package io.tailrace.suffix.cost;
