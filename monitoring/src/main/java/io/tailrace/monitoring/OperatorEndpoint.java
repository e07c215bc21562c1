package io.tailrace.monitoring;

import io.javalin.Javalin;
import io.javalin.http.HttpStatus;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers operators: {@code /} is a status in words, {@code /metrics} is Prometheus' text, {@code /health/live} and {@code /health/ready} are
 * 200 or 503. It shows numbers and names only, and needs no secrets; bind it where only operators reach it.
 */
public final class OperatorEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorEndpoint.class);
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final Javalin server;

    private OperatorEndpoint(Javalin server) {
        this.server = server;
    }

    /**
     * Starts to answer.
     *
     * @param host address to bind
     * @param port port to bind; 0: any free one
     * @param status in words, for people
     * @param scrape the metrics' text
     * @param live false: restart the process
     * @param ready false: send it no requests yet
     * @throws Listening.CannotListenException if the address is taken or cannot be had
     */
    public static OperatorEndpoint start(
            String host,
            int port,
            Supplier<String> status,
            Supplier<String> scrape,
            BooleanSupplier live,
            BooleanSupplier ready) {
        Javalin server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.startupWatcherEnabled = false;
            config.routes.get("/", ctx -> ctx.result(status.get()));
            config.routes.get(
                    "/metrics", ctx -> ctx.contentType(PROMETHEUS_TEXT).result(scrape.get()));
            config.routes.get("/health/live", ctx -> ctx.status(code(live)).result(word(live)));
            config.routes.get("/health/ready", ctx -> ctx.status(code(ready)).result(word(ready)));
        });
        Listening.start(server, host, port);
        LOG.info("metrics and health at http://{}:{}/", host, server.port());
        return new OperatorEndpoint(server);
    }

    /** The port that is bound. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }

    private static HttpStatus code(BooleanSupplier healthy) {
        return healthy.getAsBoolean() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE;
    }

    private static String word(BooleanSupplier healthy) {
        return healthy.getAsBoolean() ? "ok" : "not yet";
    }
}
