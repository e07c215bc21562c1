/**
 * Experiments: which replays answer a question, and the tables that show what they say.
 *
 * <p>{@link io.tailrace.lab.experiment.Trials} knows the questions, each as a list of
 * {@link io.tailrace.lab.experiment.Trial}s; {@link io.tailrace.lab.experiment.TrialStore} keeps finished ones, so that a
 * broken-off experiment goes on where it stopped; {@link io.tailrace.lab.experiment.Comparison} makes tables of them.
 *
 * <pre>{@code
 * List<Trial> trials = new Trials(streams, weights, strategies, budgets).silos();
 * List<Finished> finished = new TrialStore.Suite(trials, store).run(2);
 * List<ResultPage.Table> tables = new Comparison(finished).byVariant(Comparison.TOKENS);
 * }</pre>
 */
package io.tailrace.lab.experiment;
