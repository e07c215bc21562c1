package io.tailrace.tap;

import io.tailrace.client.report.Reporter;
import io.tailrace.tap.proxy.Exchange;
import io.tailrace.tap.proxy.ForwardListener;
import io.tailrace.tap.proxy.ProxyServer;
import io.tailrace.tap.publish.Generations;
import io.tailrace.tap.publish.Publisher;
import io.tailrace.tap.publish.SkipReason;
import io.tailrace.worker.http.OperatorEndpoint;
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
     * @param reporter takes generations; stays the caller's
     * @throws IOException if it cannot listen where it is to
     */
    public static Tap start(TapOptions options, Reporter reporter) throws IOException {
        TapMetrics metrics = new TapMetrics(options.publish().name(), reporter);
        Publisher publisher = new Publisher(
                new Generations(options.publish(), options.tokenizer()), reporter, metrics, options.waitingMax());
        ProxyServer proxy;
        try {
            proxy = ProxyServer.start(options.proxy(), new Forwarded(metrics, publisher));
        } catch (IOException e) {
            publisher.close();
            metrics.close();
            throw e;
        }
        metrics.gauges(proxy, publisher);
        return new Tap(metrics, publisher, proxy, operators(options, metrics, publisher, proxy));
    }

    private static OperatorEndpoint operators(
            TapOptions options, TapMetrics metrics, Publisher publisher, ProxyServer proxy) {
        try {
            return OperatorEndpoint.start(
                    options.proxy().host(), options.operatorPort(), metrics::scrape, () -> true, () -> true);
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
        public void forwarded(int status) {
            metrics.forwarded(Integer.toString(status));
        }

        @Override
        public void clientGone() {
            metrics.forwarded("client_gone");
        }

        @Override
        public void brokenOff() {
            metrics.forwarded("broken_off");
        }

        @Override
        public void answered(Exchange exchange) {
            publisher.offer(exchange);
        }

        @Override
        public void unanswered() {
            metrics.skipped(SkipReason.ABORTED);
        }
    }
}
