/**
 * Synthetic traffic: requests and answers made up by the project itself, so that the demo and the tests need no data set.
 *
 * <p>{@link io.tailrace.lab.traffic.SyntheticTraffic} deals requests of several tenants that work with four kinds of
 * agents; halfway through, what they ask for shifts. Everything follows from one seed.
 *
 * <pre>{@code
 * SyntheticTraffic traffic = new SyntheticTraffic(42, 1200);
 * while (traffic.hasNext()) {
 *     RecordedRequest request = traffic.next();
 * }
 * }</pre>
 *
 * <p>The words are invented and the repetition is designed: figures measured on it say how the loop works, not what real
 * traffic would gain. For that, replay real requests.
 */
package io.tailrace.lab.traffic;
