/**
 * {@code tailrace bench engine}: recorded traffic through a stock engine, with several drafters in turn.
 *
 * <p>{@link io.tailrace.lab.bench.engine.BenchEngineCommand} is the command. The engine's side is Python, in {@code lab/src/main/python}: {@link
 * io.tailrace.lab.bench.engine.EngineHarness} runs it and reads what it says, in an environment that {@link
 * io.tailrace.lab.engine.EngineEnvironment} makes. {@link io.tailrace.lab.bench.engine.TurnTimes} makes ratios of times. It measures one
 * engine at a time, on this machine, and says nothing about sampling: what is recorded is what is said.
 *
 * <p>{@link io.tailrace.lab.bench.engine.BenchDoorCommand} measures the door and the agent alone, with an engine that only sleeps.
 */
package io.tailrace.lab.bench.engine;
