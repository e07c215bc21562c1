/**
 * {@code tailrace bench budget}: does the measured budget draft as much as pays? Recorded requests are decoded with a step's time
 * simulated, by the budget that engines use and by fixed floors of probability; the best floor of each workload is what the budget
 * is held against.
 *
 * <pre>{@code
 * BudgetBench bench = new BudgetBench(new BudgetBench.StepCost(12_500, 700), 0.12, 16);
 * BudgetBench.Run run = bench.run(known, asked, BudgetChoice::measured);
 * }</pre>
 *
 * <p>No engine runs here: what drafts bring in one is {@code bench engine}'s to say.
 */
package io.tailrace.lab.bench.budget;
