/**
 * Replay experiments: recorded requests, drafted and verified in order as a worker would, with the answers that the model
 * really gave in place of the model. The main type is {@link io.tailrace.bench.replay.ReplayExperiment}:
 *
 * <pre>{@code
 * java -cp ... io.tailrace.bench.replay.ReplayExperiment --requests 400 --budgets 8,16,31 chat.jsonl.gz
 * }</pre>
 *
 * <p>Nothing here starts Kafka, Flink or a model; times are of drafting alone.
 */
package io.tailrace.bench.replay;
