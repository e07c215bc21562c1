/**
 * The agent as a process: it listens for engines ({@link io.tailrace.agent.serve.EngineServer}), keeps a client for each model that they serve,
 * hands on what has ended, and answers operators over HTTP. {@link io.tailrace.agent.serve.Agent} is all of it, from start to orderly end.
 *
 * <pre>{@code
 * try (Agent agent = Agent.start(options)) {
 *     agent.awaitStop();
 * }
 * }</pre>
 *
 * <p>Nothing here drafts: that is {@code agent.engine}'s and the client's.
 */
package io.tailrace.agent.serve;
