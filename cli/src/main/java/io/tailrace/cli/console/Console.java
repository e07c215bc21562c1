package io.tailrace.cli.console;

import io.javalin.Javalin;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.HttpStatus;
import io.tailrace.cli.fleet.FleetView;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.fleet.GenerationTrace;
import io.tailrace.client.UnreachableBrokersException;
import io.tailrace.monitoring.Listening;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.KafkaException;

/** Answers operators' browsers. It reads only, unless it is given actions. */
final class Console implements AutoCloseable {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final FollowedFleet fleet;
    private final Template template = new Template();
    private final boolean loopback;
    private final Optional<Actions> actions;
    private final Optional<JobRest> job;
    private final Javalin server;

    private Console(FollowedFleet fleet, Optional<Actions> actions, Optional<JobRest> job, String host)
            throws IOException {
        this.fleet = fleet;
        this.actions = actions;
        this.job = job;
        this.loopback = isLoopback(host);
        String charts = template.charts();
        String script = Template.resource("/io/tailrace/terminal/tables.js") + Template.resource("console.js");
        String style = Template.resource("console.css");
        this.server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.startupWatcherEnabled = false;
            config.routes.before(this::guard);
            config.routes.exception(
                    EOFException.class,
                    (cut, context) -> context.status(HttpStatus.BAD_REQUEST)
                            .result("the request's body ends before the length that it states"));
            config.routes.get("/chart.js", context -> asset(context, "text/javascript", charts));
            config.routes.get("/console.js", context -> asset(context, "text/javascript", script));
            config.routes.get("/console.css", context -> asset(context, "text/css", style));
            Template.PATHS.forEach(path ->
                    config.routes.get(path, context -> show(context, path, page(context, path))));
            actions.ifPresent(given -> {
                config.routes.get(Actions.PATH, context -> show(context, Actions.PATH, given.preview(context)));
                config.routes.post(Actions.PATH, context -> show(context, Actions.PATH, given.carryOut(context)));
            });
        });
    }

    /**
     * Starts to answer.
     *
     * @param actions what operators may do; empty: nothing, and no page has it
     * @param job where Flink tells of it; empty: no page does
     * @param port 0: any free one
     * @throws Listening.CannotListenException if the address cannot be had
     */
    static Console start(FollowedFleet fleet, Optional<Actions> actions, Optional<JobRest> job, String host, int port)
            throws IOException {
        Console console = new Console(fleet, actions, job, host);
        Listening.start(console.server, host, port);
        return console;
    }

    /** The port that is bound. */
    int port() {
        return server.port();
    }

    /** Whether only this machine reaches that address. */
    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Where only this machine may look, another site's name for it is not answered: its scripts would read the pages. Parameters are decoded by the charset that a request names. */
    private void guard(Context context) {
        String host = context.host() == null ? "" : context.host().replaceFirst(":\\d+$", "");
        if (loopback && !LOOPBACK_NAMES.contains(host.toLowerCase(Locale.ROOT))) {
            throw new ForbiddenResponse("this console answers to localhost and 127.0.0.1 only");
        }
        String charset = charset(context);
        if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
            throw new BadRequestResponse("a request's charset must be utf-8, got " + charset);
        }
        context.header("Content-Security-Policy", POLICY);
        context.header("X-Content-Type-Options", "nosniff");
        context.header("Referrer-Policy", "same-origin");
        context.header("Cache-Control", "no-store");
    }

    private static String charset(Context context) {
        try {
            return context.characterEncoding();
        } catch (RuntimeException e) { // of whatever kind Javalin's reader ends in
            throw new BadRequestResponse("the content type cannot be read: " + context.contentType());
        }
    }

    private static void asset(Context context, String type, String text) {
        context.contentType(type + "; charset=utf-8").result(text);
    }

    private void show(Context context, String path, Page page) {
        String lane = context.queryParam("lane");
        String foot =
                "Read from the topics at %s UTC. Records left out, unreadable or not signed by a trusted key: %,d."
                        .formatted(Figures.text(java.time.Instant.now()), fleet.skipped());
        context.contentType("text/html; charset=utf-8")
                .result(template.html(page, path, lane == null ? "" : lane, fleet.trouble(), foot));
    }

    private Page page(Context context, String path) {
        long now = System.currentTimeMillis();
        return switch (path) {
            case "/lane" ->
                ofLane(
                        context,
                        path,
                        lane -> VersionsPage.of(lane, context.queryParam("one"), context.queryParam("other"), now)
                                .and(actions.isEmpty() ? List.of() : ActionForms.ofLane(lane.lane())));
            case "/learning" -> ofLane(context, path, LearningPage::of);
            case "/outcomes" -> ofLane(context, path, OutcomesPage::of);
            case "/events" -> fleet.ask(FleetPages::events);
            case "/rejections" -> fleet.ask(FleetPages::rejections);
            case "/generation" -> generation(context.queryParam("id"));
            case "/books" ->
                fleet.ask(view -> FleetPages.books(view.books(fleet.written(), now)))
                        .and(job.map(rest -> FleetPages.job(rest, now)).stream().toList());
            default -> fleet.ask((FleetView view) -> FleetPages.lanes(view, now));
        };
    }

    private Page ofLane(Context context, String path, Function<ChosenLane, Page> page) {
        return fleet.ask(view -> page.apply(ChosenLane.of(view, path, context.queryParam("lane"))));
    }

    /** A broker that is away is no reason for a page without words. */
    private Page generation(String requestId) {
        if (requestId == null || requestId.isBlank()) {
            return FleetPages.lookupOnly(
                    "",
                    "What became of a request's answer: accepted, and which versions hold it; rejected, and why; or unknown.");
        }
        try {
            GenerationTrace trace = fleet.generation(requestId);
            return FleetPages.generation(trace).and(actions.isEmpty() ? List.of() : ActionForms.ofGeneration(trace));
        } catch (UnreachableBrokersException | KafkaException | IllegalStateException e) {
            return FleetPages.lookupOnly(requestId, "It could not be looked up: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
