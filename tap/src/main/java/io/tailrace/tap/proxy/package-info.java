/**
 * Forwards requests to one server and answers to their clients, untouched, and hands on what both said.
 *
 * <p>{@link io.tailrace.tap.proxy.ProxyServer} listens. Bodies pass as they come, each side as fast as the other takes them: Jetty's proxy does that, which is
 * why it was taken rather than one thread a call. Of the two calls that make generations the bodies are copied as they pass, within
 * {@link io.tailrace.tap.proxy.KeptLimits}; a {@link io.tailrace.tap.proxy.ForwardListener} gets an {@link io.tailrace.tap.proxy.Exchange} once the answer is with its client.
 *
 * <pre>{@code
 * try (ProxyServer proxy = ProxyServer.start(options, listener)) {
 *     System.out.println("http://localhost:" + proxy.port() + "/v1");
 * }
 * }</pre>
 *
 * <p>It reads no body, knows no Kafka, and waits for nobody but the client and the server.
 */
package io.tailrace.tap.proxy;
