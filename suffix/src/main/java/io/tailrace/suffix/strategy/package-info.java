/**
 * Ways to draft, chosen by name: {@link io.tailrace.suffix.strategy.StrategyChoice} reads {@code NAME:PARAMETER=VALUE:...} as options write it
 * and makes drafters. {@link io.tailrace.suffix.strategy.Strategy} is a service: what is named so in {@code META-INF/services} is found; the
 * product's own, {@code adaptive} and {@code none}, are always there.
 *
 * <pre>{@code
 * StrategyChoice choice = StrategyChoice.parse("adaptive:floor=0.01");
 * Drafter drafter = choice.drafter(new float[0]); // with the weights that ship with the product
 * }</pre>
 *
 * <p>Strategies that draft with a model of their own are not here: a drafter knows texts only.
 */
package io.tailrace.suffix.strategy;
