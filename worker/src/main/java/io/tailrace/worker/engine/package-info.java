/**
 * The decode loop: many requests, one model, one thread.
 *
 * <p>{@link io.tailrace.worker.engine.DecodeEngine} owns the model. Requests join and leave between steps (continuous
 * batching); a step gives each request a piece of its prompt, or a draft tree to verify, in one forward pass. Drafts come from
 * a {@link io.tailrace.client.draft.DraftSource}, their size from a {@link io.tailrace.client.budget.BudgetChoice}, tokens from
 * {@link io.tailrace.worker.sampling.TokenSampler}; an {@link io.tailrace.worker.engine.Answer.Sink} takes them as they come,
 * {@link io.tailrace.worker.engine.AnswerText} turns them into text that ends at a stop text.
 *
 * <pre>{@code
 * try (DecodeEngine engine = DecodeEngine.start("worker-1", parts, EngineOptions.defaults())) {
 *     DecodeRequest.Ticket ticket = engine.submit(request, sink);
 *     ticket.cancel(); // the client has gone
 * }
 * }</pre>
 *
 * <p>This package knows neither HTTP nor Kafka.
 */
package io.tailrace.worker.engine;
