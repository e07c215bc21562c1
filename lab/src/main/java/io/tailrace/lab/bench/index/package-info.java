/**
 * How fast and how small the index is. {@link io.tailrace.lab.bench.index.IndexBench} measures the figures of the project's
 * table in under a minute, on synthetic or recorded answers; {@link io.tailrace.lab.bench.index.IndexBenchmarks} is the same in
 * JMH, for profilers and for watching allocation.
 *
 * <pre>{@code
 * IndexBench.Report report = IndexBench.run(new IndexBench.Options(5_000_000, null));
 * report.rows().forEach(System.out::println);
 * }</pre>
 *
 * <p>It does not measure drafting: the replay experiments do.
 */
package io.tailrace.lab.bench.index;
