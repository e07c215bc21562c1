/**
 * The Flink job, wired: arguments to sources to operators to sinks.
 *
 * <p>{@link io.tailrace.jobs.IndexJob} is the main class of the jar that {@code flink run} takes, and builds the same job in
 * any environment, a MiniCluster too.
 *
 * <pre>{@code
 * StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
 * IndexJob.build(env, IndexJobOptions.parse(arguments));
 * env.executeAsync(IndexJob.NAME);
 * }</pre>
 *
 * <p>No decision about a record is taken here; those are in {@code operators}.
 */
package io.tailrace.jobs;
