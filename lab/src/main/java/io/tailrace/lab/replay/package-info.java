/**
 * The laboratory: recorded requests, drafted and verified in order as workers would, with the answers that the model really
 * gave in place of the model. What drafting would give on someone's traffic, and what each part of it is worth.
 *
 * <p>A {@link io.tailrace.lab.replay.ReplayStream} is replayed under a
 * {@link io.tailrace.lab.replay.ReplayProtocol} by {@link io.tailrace.lab.replay.OnlineReplay}; many runs are done by
 * {@link io.tailrace.lab.replay.ReplaySuite}:
 *
 * <pre>{@code
 * ReplayStream stream = new StreamReader(RecordedInputOptions.of(RecordedInputOptions.UNBOUNDED), 1200).file(Path.of("chat.jsonl.gz"));
 * ReplayRun run = new ReplayRun(stream, StrategyChoice.parse("adaptive"), new float[0], 16, ReplayProtocol.online());
 * double tokensPerStep = new ReplaySuite(List.of(run)).run(1).get(0).result().pooled().tokensPerStep();
 * }</pre>
 *
 * <p>Nothing here starts Kafka, Flink or a model; times are of drafting alone, on lanes in memory.
 */
package io.tailrace.lab.replay;
