package io.tailrace.agent.serve;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.monitoring.OperatorEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent beside the engines of a host: it drafts for them, learns from what they verify, and tells the fleet. Engines come and go; each model
 * that one of them serves gets a client. An engine serves on without drafts while there is no agent.
 */
public final class Agent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    private final AgentOptions options;
    private final AgentMetrics metrics;
    private final ModelClients clients;
    private final LeftReports left;
    private final EngineServer engines;
    private final OperatorEndpoint operators;

    private Agent(AgentOptions options) throws IOException {
        this.options = options;
        this.clients = new ModelClients(new Clients());
        EndedReports reports = new EndedReports();
        this.left = LeftReports.open(options.spools());
        this.metrics = new AgentMetrics(
                options.name(),
                clients::all,
                left::reporters,
                () -> reports.failures() + clients.reportFailures() + left.failures(),
                clients::skippedRecords);
        this.engines = new EngineServer(options, clients, metrics, reports);
        metrics.engines(() -> engines.engines().size());
        this.operators = OperatorEndpoint.start(
                options.host(), options.port(), this::status, metrics::scrape, this::live, this::ready);
    }

    /**
     * An agent that takes engines from now on.
     *
     * @throws IOException if engines cannot connect where they are to
     */
    public static Agent start(AgentOptions options) throws IOException {
        Agent agent = new Agent(options);
        agent.engines.start();
        LOG.info(
                "engines connect at {}; status and metrics at http://{}:{}/",
                agent.address(),
                options.host(),
                agent.port());
        if (options.listen().socket() == null) {
            LOG.warn(
                    "every user of this host can connect at {}, name any scope, read its answers as drafts and add to them; give a socket's path to --listen where not all are trusted",
                    agent.address());
        }
        return agent;
    }

    /** Where engines connect. */
    public String address() throws IOException {
        return engines.address();
    }

    /** Port of metrics, health and status. */
    public int port() {
        return operators.port();
    }

    /** False once it must be started again; the log says why. To be asked now and then: what is done with is let go. */
    public boolean live() {
        left.closeEmpty();
        return engines.live() && clients.all().stream().allMatch(TailraceClient::live);
    }

    /**
     * Whether it drafts: the lanes of every model whose engines are connected are known, as far as they were announced. It may serve engines before.
     */
    public boolean ready() {
        return live() && clients.all().stream().allMatch(TailraceClient::caughtUp);
    }

    /** One for each model; what one could not send is sent on when it has gone. */
    private final class Clients implements ModelClients.Opener {
        @Override
        public TailraceClient open(ServedModel model) throws IOException {
            spool(model).ifPresent(left::giveUp);
            ClientOptions of = options.clients().apply(model);
            TailraceClient client = options.kept().isEmpty()
                    ? TailraceClient.open(of)
                    : TailraceClient.keeping(of, options.kept().get(), AgentOptions.KEPT_TOKENS_MAX);
            client.start();
            return client;
        }

        @Override
        public void closed(ServedModel model) {
            spool(model).ifPresent(left::take);
        }

        private Optional<Path> spool(ServedModel model) {
            return options.clients().apply(model).reporting().flatMap(ReportingOptions::spool);
        }
    }

    private List<LaneState> lanes() {
        return clients.all().stream()
                .flatMap(client -> client.states().stream())
                .toList();
    }

    /** What it does, for people. */
    private String status() {
        String connected = engines.engines().stream()
                .map(engine -> "  %s: %d requests running%n".formatted(engine.engine(), engine.running()))
                .collect(Collectors.joining());
        String followed = lanes().stream()
                .map(lane -> "  %s: version %d of %d, %,d fresh tokens%n"
                        .formatted(lane.lane(), lane.loadedVersion(), lane.announcedVersion(), lane.freshTokens()))
                .collect(Collectors.joining());
        return "tailrace agent %s, %s%n%nEngines%n%s%nLanes%n%s"
                .formatted(
                        options.name(),
                        ready() ? "ready" : "not ready",
                        connected.isEmpty() ? "  none is connected%n".formatted() : connected,
                        followed.isEmpty()
                                ? "  none yet: an engine's first request makes one%n".formatted()
                                : followed);
    }

    /** Engines are let go; what has ended is reported. */
    @Override
    public void close() throws IOException {
        operators.close();
        engines.close();
        clients.close();
        left.close();
        metrics.close();
    }
}
