package io.tailrace.agent.serve;

import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for engines and serves each in a thread of its own. What is known of an engine's step times outlives its connection. */
final class EngineServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineServer.class);
    private static final long CLOSE_MILLIS_MAX = 5_000;

    private final AgentOptions options;
    private final ModelClients clients;
    private final AgentMetrics metrics;
    private final EndedReports reports = new EndedReports();
    private final ServerSocketChannel listening;
    private final Thread accepting = new Thread(this::accept, "engines");
    private final Map<EngineConnection, Thread> connections = new LinkedHashMap<>();
    private final Map<String, BudgetChoice> budgets = new LinkedHashMap<>();

    EngineServer(AgentOptions options, ModelClients clients, AgentMetrics metrics) throws IOException {
        this.options = options;
        this.clients = clients;
        this.metrics = metrics;
        this.listening = options.listen().open();
        accepting.setDaemon(true);
    }

    void start() {
        accepting.start();
    }

    /** Where engines connect; names the port that was taken. */
    String address() throws IOException {
        return options.listen().socket() != null ? options.listen().toString() : "tcp:/" + listening.getLocalAddress();
    }

    String scope() {
        return options.scope();
    }

    String greeting() {
        return "tailrace agent " + options.name();
    }

    AgentMetrics metrics() {
        return metrics;
    }

    void report(Runnable report) {
        reports.add(report);
    }

    /** Engines that are connected; a copy. */
    synchronized List<EngineConnection> connections() {
        return new ArrayList<>(connections.keySet());
    }

    /** An engine that connects anew takes the place of its earlier connection. */
    TailraceClient admit(EngineConnection connection, Hello hello) throws RefusedEngineException {
        TailraceClient client = clients.of(hello);
        for (EngineConnection other : connections()) {
            if (other != connection && other.engine().equals(hello.engine())) {
                LOG.info("{} connects anew", hello.engine());
                end(other);
            }
        }
        if (connections().size() > AgentOptions.ENGINES_MAX) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.TOO_MANY_ENGINES,
                    "this agent has %d engines already; start another agent".formatted(AgentOptions.ENGINES_MAX));
        }
        return client;
    }

    /** What an engine's steps have taken; kept while the agent runs, for as many engines as may connect. */
    synchronized BudgetChoice budgets(String engine) {
        if (!budgets.containsKey(engine) && budgets.size() == AgentOptions.ENGINES_MAX) {
            budgets.remove(budgets.keySet().iterator().next());
        }
        return budgets.computeIfAbsent(engine, name -> options.budgets().get());
    }

    synchronized void gone(EngineConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        try {
            while (true) {
                begin(listening.accept());
            }
        } catch (AsynchronousCloseException e) {
            LOG.debug("no more engines are taken");
        } catch (ClosedChannelException e) {
            LOG.debug("closed before the first engine came");
        } catch (IOException e) {
            LOG.error("no more engines can connect; the agent must be started again", e);
        }
    }

    private synchronized void begin(SocketChannel channel) {
        EngineConnection connection = new EngineConnection(channel, this);
        Thread thread = new Thread(connection, "engine-" + connections.size());
        thread.setDaemon(true);
        connections.put(connection, thread);
        thread.start();
    }

    /** False once no engine can connect any more. */
    boolean live() {
        return accepting.isAlive();
    }

    private void end(EngineConnection connection) {
        Thread thread;
        synchronized (this) {
            thread = connections.get(connection);
        }
        try {
            connection.close();
            if (thread != null) {
                thread.join(CLOSE_MILLIS_MAX);
            }
        } catch (IOException e) {
            LOG.debug("{} cannot be closed", connection.engine(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        options.listen().forget();
        connections().forEach(this::end);
        reports.close();
    }
}
