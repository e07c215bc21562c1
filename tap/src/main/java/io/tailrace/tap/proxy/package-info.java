/**
 * Forwards requests to one server and answers to their clients, untouched, and hands on what both said.
 *
 * <p>{@link io.tailrace.tap.proxy.ProxyServer} listens. Bodies pass as they come, each side as fast as the other takes them: Jetty's proxy does that, which is
 * why it was taken rather than one thread a call. A call that asks for generations is copied as it passes; a {@link io.tailrace.tap.proxy.ForwardListener}
 * gets it as an {@link io.tailrace.tap.proxy.Exchange} once it is over.
 *
 * <pre>{@code
 * ProxyOptions options = ProxyOptions.to(URI.create("http://vllm:8000"), ScopeRule.fixed("chat"));
 * try (ProxyServer proxy = ProxyServer.start(options, listener)) {
 *     System.out.println("http://localhost:" + proxy.port() + "/v1");
 * }
 * }</pre>
 *
 * <p>It reads no body, knows no Kafka, and waits for nobody but the client and the server.
 */
package io.tailrace.tap.proxy;
