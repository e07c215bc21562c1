/**
 * What a verification costs.
 *
 * <p>{@link io.tailrace.suffix.cost.CostFit} gathers one worker's step times. {@link io.tailrace.suffix.cost.AgreedCurve} makes a {@link
 * io.tailrace.suffix.cost.CostCurve} of those of several, which {@link io.tailrace.suffix.cost.Monotone} keeps from falling where a step
 * carries more.
 *
 * <pre>{@code
 * CostFit fit = new CostFit();
 * fit.add(batch, verifiedTokens, steps, micros);
 * double step = CostCurve.of(AgreedCurve.points(List.of(fit))).micros(8, 64);
 * }</pre>
 *
 * <p>Nothing here measures time, or decides how much to draft.
 */
package io.tailrace.suffix.cost;
