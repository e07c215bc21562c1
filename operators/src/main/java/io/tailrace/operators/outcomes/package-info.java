/**
 * What verification said of the fleet's requests, added up per lane.
 *
 * <p>{@link io.tailrace.operators.outcomes.OutcomeDecoding} reads topic outcomes,
 * {@link io.tailrace.operators.outcomes.OutcomeAggregation} counts each once and keeps each lane's
 * {@link io.tailrace.operators.outcomes.LaneOutcome.Totals}, shows acceptance as metrics and tells the lane's publisher, which
 * puts the sums into the next manifest.
 *
 * <pre>{@code
 * raw.process(new OutcomeDecoding(models, BoundTopics.only("outcomes"))).keyBy(RequestOutcome::lane).connect(announced.keyBy(LaneSignal::lane)).process(new OutcomeAggregation(lanesMax));
 * }</pre>
 *
 * <p>Step times become the cost curve of their worker class; weights are learned elsewhere.
 */
package io.tailrace.operators.outcomes;
