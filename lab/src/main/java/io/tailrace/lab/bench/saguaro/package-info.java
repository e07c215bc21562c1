/**
 * What Saguaro sampling would trade: draft tokens accepted against endings that a speculation cache foresees, on a real model and a
 * draft source that has probabilities, beside the rule that Tailrace verifies by.
 *
 * <p>{@link io.tailrace.lab.bench.saguaro.SaguaroTrade} has both read recorded text and adds up what each rule would have done at each of its
 * places; {@code tailrace bench saguaro} prints it.
 *
 * <pre>{@code
 * SaguaroTrade trade = new SaguaroTrade(4, new double[] {1, 0.5, 0});
 * trade.read(model, draft, cases, 1.0);
 * List<SaguaroTrade.Row> rows = trade.rows(4, 0.5);
 * }</pre>
 *
 * <p>Nothing is drafted, verified or timed here; shares are expectations, not samples.
 */
package io.tailrace.lab.bench.saguaro;
