package io.tailrace.tap;

import io.tailrace.client.report.Reporter;
import io.tailrace.monitoring.OperatorEndpoint;
import io.tailrace.tap.proxy.Exchange;
import io.tailrace.tap.proxy.ForwardListener;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.proxy.ProxyServer;
import java.io.IOException;

/** Forwards requests, and publishes what was answered. Nothing of the second can hold up or change the first. */
public final class Tap implements AutoCloseable {
    private final TapMetrics metrics;
    private final Publisher publisher;
    private final ProxyServer proxy;
    private final OperatorEndpoint operators;

    private Tap(TapMetrics metrics, Publisher publisher, ProxyServer proxy, OperatorEndpoint operators) {
        this.metrics = metrics;
        this.publisher = publisher;
        this.proxy = proxy;
        this.operators = operators;
    }

    /**
     * A tap that forwards from now on.
     *
     * @param operatorPort port of metrics and health, at the proxy's address; 0: any free one
     * @param reporter takes generations; stays the caller's
     * @throws IOException if it cannot listen where clients are to connect
     * @throws io.tailrace.monitoring.Listening.CannotListenException if it cannot listen where operators are to
     */
    public static Tap start(ProxyOptions options, int operatorPort, PublishOptions publish, Reporter reporter)
            throws IOException {
        TapMetrics metrics = new TapMetrics(publish.name(), reporter);
        Publisher publisher =
                new Publisher(new Generations(publish), reporter, metrics, Publisher.EXCHANGES_WAITING_MAX);
        ProxyServer proxy = ProxyServer.start(options, new Forwarded(metrics, publisher));
        try {
            metrics.gauges(proxy, publisher);
            return new Tap(
                    metrics,
                    publisher,
                    proxy,
                    OperatorEndpoint.start(
                            options.host(),
                            operatorPort,
                            () -> "tailrace tap",
                            metrics::scrape,
                            () -> true,
                            () -> true));
        } catch (RuntimeException e) {
            proxy.close();
            publisher.close();
            metrics.close();
            throw e;
        }
    }

    /** Where clients connect. */
    public int port() {
        return proxy.port();
    }

    /** Port of metrics and health. */
    public int operatorPort() {
        return operators.port();
    }

    /** Takes no further requests, lets those on their way end, publishes what was answered. */
    @Override
    public void close() {
        proxy.close();
        publisher.close();
        operators.close();
        metrics.close();
    }

    private record Forwarded(TapMetrics metrics, Publisher publisher) implements ForwardListener {
        @Override
        public void ended(String how) {
            metrics.forwarded(how);
        }

        @Override
        public void exchanged(Exchange exchange) {
            publisher.offer(exchange);
        }
    }
}
