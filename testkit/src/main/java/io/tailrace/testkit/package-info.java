/**
 * Seeded test data and dull oracles: what the clever parts are compared with.
 *
 * <p>{@link io.tailrace.testkit.NaiveIndex} answers every question an index answers, by looking at every position;
 * {@link io.tailrace.testkit.RandomDocuments} makes documents of all shapes from a seed; {@link io.tailrace.testkit.Cases}
 * runs a property over many seeds.
 *
 * <pre>{@code
 * Cases.forEachSeed(1000, seed -> {
 *     RandomDocuments random = new RandomDocuments(seed, 4, 3);
 *     List<int[]> documents = random.documents(10, 30);
 *     ...
 * });
 * }</pre>
 *
 * <p>For tests only: nothing here is fast, and nothing here knows the modules it tests.
 */
package io.tailrace.testkit;
