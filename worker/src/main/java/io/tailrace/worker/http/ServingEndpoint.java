package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.tailrace.monitoring.Listening;
import io.tailrace.monitoring.OperatorEndpoint;
import io.tailrace.worker.engine.RefusedRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server: {@code /v1/completions}, {@code /v1/chat/completions}, {@code /v1/models}, {@code /tokenize}, and for operators {@code /metrics},
 * {@code /health/live} and {@code /health/ready}. Each call that is being answered has a thread of its own; one that is still being read has none.
 */
public final class ServingEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServingEndpoint.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    /** Threads that accept, select, and answer operators. */
    private static final int OTHER_THREADS = 16;
    /** The system may allow fewer. */
    private static final int CONNECTIONS_UNACCEPTED_MAX = 4_096;
    /** What a body of {@link CallJson#PARTS_MAX} parts becomes, twice where a field is looked at that is not served. */
    private static final long READING_BYTES_MAX = 2L * 84 * CallJson.PARTS_MAX;
    /** How long {@link #close} waits for clients to take the ends of their answers. */
    private static final long CLOSE_MILLIS_MAX = 5_000;

    private final EndpointOptions options;
    private final Backend backend;
    private final Callers callers;
    private final CallReader reader;
    private final Semaphore readings = new Semaphore(readingsMax());
    private final long startedSeconds = System.currentTimeMillis() / 1_000;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Javalin server;
    private final Optional<OperatorEndpoint> operators;

    /** As many as there are processors, if half of the heap holds what the largest bodies become. */
    private static int readingsMax() {
        long room = Runtime.getRuntime().maxMemory() / 2 / READING_BYTES_MAX;
        return (int) Math.max(1, Math.min(room, Runtime.getRuntime().availableProcessors()));
    }

    private ServingEndpoint(EndpointOptions options, Backend backend) {
        this.options = options;
        this.backend = backend;
        this.callers = new Callers(options);
        this.reader = new CallReader(backend, options.visibility());
        this.server = Javalin.create(this::configure);
        this.operators = options.operatorPort() == EndpointOptions.WITH_CALLERS
                ? Optional.empty()
                : Optional.of(operators(options, backend));
    }

    /**
     * Starts to answer.
     *
     * @throws Listening.CannotListenException if the address is taken or cannot be had
     */
    public static ServingEndpoint start(EndpointOptions options, Backend backend) {
        ServingEndpoint endpoint = new ServingEndpoint(options, backend);
        try {
            Listening.start(endpoint.server, options.host(), options.port());
        } catch (Listening.CannotListenException e) {
            endpoint.operators.ifPresent(OperatorEndpoint::close);
            throw e;
        }
        LOG.info("model {} is served at http://{}:{}/v1", backend.modelName(), options.host(), endpoint.server.port());
        return endpoint;
    }

    /** The port that is bound. */
    public int port() {
        return server.port();
    }

    /** The operators' port, where they have one of their own. */
    public Optional<Integer> operatorPort() {
        return operators.map(OperatorEndpoint::port);
    }

    /** Takes no further calls, lets those that are being answered get the last of their answers, unspaced, and ends. */
    @Override
    public void close() {
        ending.countDown();
        server.stop();
        operators.ifPresent(OperatorEndpoint::close);
    }

    private static OperatorEndpoint operators(EndpointOptions options, Backend backend) {
        return OperatorEndpoint.start(
                options.host(),
                options.operatorPort(),
                () -> backend.notReady().map(why -> "not ready: " + why).orElse("ready"),
                backend::scrape,
                backend::live,
                () -> backend.notReady().isEmpty());
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.jetty.modifyServer(jetty -> {
            jetty.insertHandler(new CallBodies(options, callers));
            jetty.insertHandler(new GracefulHandler());
            jetty.setStopTimeout(CLOSE_MILLIS_MAX);
            jetty.addEventListener(new RoomForConnections(jetty));
        });
        config.jetty.threadPool = new QueuedThreadPool(options.connectionsMax() + OTHER_THREADS);
        config.routes.post(
                "/v1/completions", ctx -> answer(ctx, read(ctx, (body, scope) -> reader.completion(body, scope))));
        config.routes.post(
                "/v1/chat/completions", ctx -> answer(ctx, read(ctx, (body, scope) -> reader.chat(body, scope))));
        config.routes.post("/tokenize", this::tokenize);
        config.routes.get("/v1/models", this::models);
        config.routes.get("/v1/models/{model}", this::model);
        if (options.operatorPort() == EndpointOptions.WITH_CALLERS) {
            config.routes.get(
                    "/metrics", ctx -> ctx.contentType(PROMETHEUS_TEXT).result(backend.scrape()));
        }
        config.routes.get(
                "/health/live",
                ctx -> health(ctx, "not live", backend.live() ? Optional.empty() : Optional.of("start it again")));
        config.routes.get("/health/ready", ctx -> health(ctx, "not ready", backend.notReady()));
        config.routes.exception(ApiException.class, (e, ctx) -> error(ctx, e));
        config.routes.exception(RefusedRequestException.class, (e, ctx) -> error(ctx, ApiException.of(e)));
        config.routes.exception(HttpResponseException.class, (e, ctx) -> error(ctx, byServer(e)));
        config.routes.exception(RuntimeException.class, (e, ctx) -> {
            LOG.error("a call of {} broke", ctx.path(), e);
            error(ctx, ApiException.broken());
        });
    }

    private void answer(Context ctx, CallReader.Call call) {
        new Reply(ctx, call, backend, options.visibility(), ending).run();
    }

    /** What becomes of a body whose sender has this scope. */
    private interface Reading<T> {
        T of(byte[] body, String scope);
    }

    /** Reads a call's body. What it is read into may be much larger: so few are read at once, and others wait. */
    private <T> T read(Context ctx, Reading<T> reading) {
        String scope = scope(ctx);
        byte[] body = CallBodies.of(ctx.req());
        readings.acquireUninterruptibly();
        try {
            return reading.of(body, scope);
        } finally {
            readings.release();
        }
    }

    private void tokenize(Context ctx) {
        json(ctx, read(ctx, (body, scope) -> new TokenizeReader(reader, backend).answer(body)));
    }

    private String scope(Context ctx) {
        return callers.scope(name -> Collections.list(ctx.req().getHeaders(name)));
    }

    private void model(Context ctx) {
        String asked = ctx.pathParam("model");
        scope(ctx);
        if (!asked.equals(backend.modelName())) {
            throw ApiException.unknownModel(asked, backend.modelName());
        }
        json(ctx, describe(JSON.createObjectNode()));
    }

    private void models(Context ctx) {
        scope(ctx);
        ObjectNode body = JSON.createObjectNode().put("object", "list");
        describe(body.putArray("data").addObject());
        json(ctx, body);
    }

    private ObjectNode describe(ObjectNode into) {
        return into.put("id", backend.modelName())
                .put("object", "model")
                .put("created", startedSeconds)
                .put("owned_by", "tailrace")
                .put("max_model_len", backend.contextTokensMax());
    }

    private static void health(Context ctx, String ailment, Optional<String> ill) {
        ctx.status(ill.isEmpty() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                .result(ill.map(why -> ailment + ": " + why).orElse("ok"));
    }

    private ApiException byServer(HttpResponseException e) {
        return switch (e.getStatus()) {
            case 404 ->
                new ApiException(
                        404,
                        "invalid_request_error",
                        null,
                        "not_found",
                        "there is no such path; see /v1/completions, /v1/chat/completions, /v1/models, /tokenize");
            default -> new ApiException(e.getStatus(), "invalid_request_error", null, null, e.getMessage());
        };
    }

    private static void error(Context ctx, ApiException e) {
        if (e.status() == HttpStatus.TOO_MANY_REQUESTS.getCode()) {
            ctx.header("Retry-After", "1");
        }
        ctx.status(e.status());
        json(ctx, e.body());
    }

    private static void json(Context ctx, ObjectNode body) {
        try {
            ctx.contentType("application/json").result(JSON.writeValueAsBytes(body));
        } catch (IOException e) {
            throw new UncheckedIOException("a tree of JSON cannot be written", e);
        }
    }

    /** Connections that come all at once wait to be accepted; those for which there is no room would try again a second later. */
    private record RoomForConnections(Server jetty) implements LifeCycle.Listener {
        @Override
        public void lifeCycleStarting(LifeCycle starting) {
            for (Connector connector : jetty.getConnectors()) {
                if (connector instanceof ServerConnector listening) {
                    listening.setAcceptQueueSize(CONNECTIONS_UNACCEPTED_MAX);
                }
            }
        }
    }
}
