/**
 * A reverse proxy before any server that speaks OpenAI's API: it forwards everything untouched, and publishes what was answered. For servers without a door.
 *
 * <p>{@link io.tailrace.tap.Tap} joins the two halves. Package {@code proxy} forwards. {@code Publisher} takes what was forwarded and never makes anybody wait: what
 * does not fit into its queue is counted and dropped. {@code Generations} decides what becomes a generation; package {@code answer} reads for it.
 *
 * <p>A module of its own: the agent must stay free of tokenizers and their native code, and the worker, whose tokenizer, watch over clients and page for
 * operators are used here, serves a model and forwards nothing.
 *
 * <pre>{@code
 * try (Tap tap = Tap.start(ProxyOptions.to(upstream, ScopeRule.fixed("chat")), 0, published, reporter)) {
 *     System.out.println("http://localhost:" + tap.port() + "/v1");
 * }
 * }</pre>
 *
 * <p>It drafts nothing, changes no answer and logs no text. Websockets are not forwarded.
 */
package io.tailrace.tap;
