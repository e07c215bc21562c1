package io.tailrace.agent.serve;

import io.javalin.Javalin;
import io.javalin.http.HttpStatus;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Answers operators: {@code /} is the status, {@code /metrics} is Prometheus' text, {@code /health/live} and {@code /health/ready} are 200 or 503. It
 * shows numbers and names only.
 */
final class OperatorPage implements AutoCloseable {
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final Javalin server;

    private OperatorPage(Javalin server) {
        this.server = server;
    }

    static OperatorPage start(
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
        try {
            server.start(host, port);
        } catch (io.javalin.util.JavalinBindException e) {
            throw new IllegalArgumentException(
                    "--port %d at %s is taken or cannot be had; another --port, or 0 for any".formatted(port, host), e);
        }
        return new OperatorPage(server);
    }

    int port() {
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
