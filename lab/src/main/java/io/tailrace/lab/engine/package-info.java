/**
 * Stock engines and their agents as processes, started and ended from Java, and the loop that they share.
 *
 * <p>{@link io.tailrace.lab.engine.EngineEnvironment} has the engine's Python, {@link io.tailrace.lab.engine.VllmServer} is an engine,
 * {@link io.tailrace.lab.engine.AgentProcess} an agent; {@link io.tailrace.lab.engine.EngineFleet} holds several of both around a loop.
 *
 * <pre>{@code
 * try (EngineFleet fleet = EngineFleet.start(environment, model, home, EngineFleet.options(folder, model))) {
 *     EngineFleet.Replica one = fleet.add("engine-1");
 *     one.engine().awaitReady();
 *     EngineAnswer answer = one.engine().complete("Once upon a time", 64);
 * }
 * }</pre>
 *
 * <p>It measures nothing: that is {@code bench.engine} and {@code demo}.
 */
package io.tailrace.lab.engine;
