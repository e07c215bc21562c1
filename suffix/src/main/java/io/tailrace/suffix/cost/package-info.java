/**
 * What a verification costs.
 *
 * <p>{@link io.tailrace.suffix.cost.CostFit} fits step times to a {@link io.tailrace.suffix.cost.CostCurve}, which {@link
 * io.tailrace.suffix.cost.Monotone} keeps from falling where a step carries more.
 *
 * <pre>{@code
 * CostFit fit = new CostFit();
 * fit.add(batch, verifiedTokens, steps, micros);
 * double step = CostCurve.of(fit.points()).micros(8, 64);
 * }</pre>
 *
 * <p>Nothing here measures time, or decides how much to draft.
 */
package io.tailrace.suffix.cost;
