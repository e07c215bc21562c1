/**
 * A reverse proxy before any server that speaks OpenAI's API: it forwards everything untouched, and publishes what was answered. For servers that no agent
 * drafts for.
 *
 * <p>{@link io.tailrace.tap.Tap} joins the two halves: package {@code proxy} forwards, package {@code publish} makes generations of what package {@code answer} reads.
 *
 * <p>A module of its own: the agent must stay free of tokenizers and their native code, and the worker, whose port for tokenizers, watch over clients and page for
 * operators are used here, serves a model and forwards nothing.
 *
 * <pre>{@code
 * try (Tap tap = Tap.start(options, reporter)) {
 *     System.out.println("http://localhost:" + tap.port() + "/v1");
 * }
 * }</pre>
 *
 * <p>It drafts nothing and changes no answer. Websockets are not forwarded.
 */
package io.tailrace.tap;
