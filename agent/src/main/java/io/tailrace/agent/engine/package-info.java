/**
 * One engine as the agent sees it. {@link io.tailrace.agent.engine.EngineSteps} is the brain: it takes a STEP and answers with drafts; it knows no
 * socket. {@link io.tailrace.agent.engine.EngineRequest} is a request from its BEGIN to its END.
 *
 * <pre>{@code
 * steps.step(StepFrame.read(frame), reply);
 * channel.write(reply);
 * steps.afterReply();
 * }</pre>
 *
 * <p>How much to draft is decided by the client's {@code BudgetChoice}, what to draft by its {@code DraftSource}.
 */
package io.tailrace.agent.engine;
