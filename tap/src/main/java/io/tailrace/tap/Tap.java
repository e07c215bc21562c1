package io.tailrace.tap;

import io.tailrace.client.report.Reporter;
import io.tailrace.monitoring.OperatorEndpoint;
import io.tailrace.tap.proxy.Exchange;
import io.tailrace.tap.proxy.ForwardListener;
import io.tailrace.tap.proxy.ProxyOptions;
import io.tailrace.tap.proxy.ProxyServer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Forwards requests, and publishes what was answered. Nothing of the second can hold up or change the first. */
public final class Tap implements AutoCloseable {
    private final TapMetrics metrics;
    private final Publisher publisher;
    private final ProxyServer proxy;
    private final OperatorEndpoint operators;

    private final AtomicBoolean ending;

    private Tap(
            TapMetrics metrics,
            Publisher publisher,
            ProxyServer proxy,
            OperatorEndpoint operators,
            AtomicBoolean ending) {
        this.metrics = metrics;
        this.publisher = publisher;
        this.proxy = proxy;
        this.operators = operators;
        this.ending = ending;
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
        AtomicBoolean ending = new AtomicBoolean();
        try {
            metrics.gauges(proxy, publisher);
            return new Tap(
                    metrics,
                    publisher,
                    proxy,
                    OperatorEndpoint.start(
                            options.host(),
                            operatorPort,
                            () -> status(options, proxy, publisher, reporter),
                            metrics::scrape,
                            () -> true,
                            () -> !ending.get()),
                    ending);
        } catch (RuntimeException e) {
            proxy.close();
            publisher.close();
            metrics.close();
            throw e;
        }
    }

    /** It forwards whether or not it publishes, so only an end makes it unready. */
    private static String status(ProxyOptions options, ProxyServer proxy, Publisher publisher, Reporter reporter) {
        return """
                tailrace tap
                forwards to %s, requests on their way: %,d
                %s, answers that wait: %,d
                """.formatted(
                        options.upstream(),
                        proxy.running(),
                        reporter.live() ? "publishes" : "publishes nothing any more: see the log, and start it again",
                        publisher.waiting());
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
        ending.set(true);
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
