package io.tailrace.agent.serve;

import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for engines and serves each in a thread of its own. What is known of an engine's step times outlives its connection. */
class EngineServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineServer.class);
    private static final long CLOSE_MILLIS_MAX = 5_000;
    private static final long ACCEPT_PAUSE_MILLIS = 200;
    /** Connections that have said nothing yet: above it the oldest is closed. */
    static final int SILENT_MAX = AgentOptions.ENGINES_MAX;
    /** An engine that said nothing for so long gives its name to the next one that claims it. */
    static final long ALIVE_NANOS = 5_000_000_000L;

    private final AgentOptions options;
    private final ModelClients clients;
    private final AgentMetrics metrics;
    private final EndedReports reports;
    private final ServerSocketChannel listening;
    private final Optional<Object> identity;
    private final Thread accepting = new Thread(this::accept, "engines");
    private final Map<EngineConnection, Thread> connections = new LinkedHashMap<>();
    private final Map<String, BudgetChoice> budgets = new LinkedHashMap<>();
    private volatile String lastBug;

    /**
     * A server that listens; {@link #start} lets engines in.
     *
     * @param reports taken over
     */
    EngineServer(AgentOptions options, ModelClients clients, AgentMetrics metrics, EndedReports reports)
            throws IOException {
        this.options = options;
        this.clients = clients;
        this.metrics = metrics;
        this.reports = reports;
        this.listening = options.listen().open();
        this.identity = options.listen().identity();
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

    /**
     * Hands a report on.
     *
     * @param size tokens in it
     * @param over called once the report is handed on, or given up
     */
    void report(int size, Runnable report, Runnable over) {
        reports.add(size, report, over);
    }

    /** Engines that are connected and have said hello; a copy. */
    synchronized List<EngineConnection> engines() {
        return connections.keySet().stream().filter(EngineConnection::isNamed).toList();
    }

    /**
     * Lets an engine in; {@link #name} follows once it was told so.
     *
     * @return the client of its model, which {@link #gone} gives back
     */
    TailraceClient admit(EngineConnection connection, Hello hello) throws RefusedEngineException {
        TailraceClient client = clients.lease(hello);
        if (!reserve(connection, hello.engine())) {
            clients.release(client);
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.TOO_MANY_ENGINES,
                    "this agent has %d engines already; start another agent".formatted(AgentOptions.ENGINES_MAX));
        }
        return client;
    }

    /** A dead connection whose place it takes does not count. */
    private synchronized boolean reserve(EngineConnection connection, String name) {
        connection.letIn();
        return connections.keySet().stream()
                        .filter(EngineConnection::isLetIn)
                        .filter(each -> !each.engine().equals(name) || isAlive(each))
                        .count()
                <= AgentOptions.ENGINES_MAX;
    }

    private boolean isAlive(EngineConnection connection) {
        return nanos() - connection.heardNanos() < ALIVE_NANOS;
    }

    /**
     * Names a connection. An engine that connects anew takes the place of its earlier connection; where that one is alive, two engines have one
     * name, and the later is told apart by a number.
     */
    void name(EngineConnection connection, Hello hello) {
        EngineConnection earlier = claim(connection, hello.engine());
        if (earlier != null) {
            LOG.info("{} connects anew", connection.engine());
            end(earlier);
        }
        if (!connection.engine().equals(hello.engine())) {
            LOG.warn(
                    "two engines are called {}: the later one goes by {}; give each a name of its own, for vLLM by TAILRACE_ENGINE",
                    hello.engine(),
                    connection.engine());
        }
    }

    /** Names a connection; returns the dead one that had the name, or null. */
    private synchronized EngineConnection claim(EngineConnection connection, String name) {
        String free = name;
        EngineConnection holder = named(free);
        for (int number = 2; holder != null && isAlive(holder); number++) {
            free = numbered(name, "-" + number);
            holder = named(free);
        }
        connection.name(free);
        return holder;
    }

    /** A name is no longer than the fleet takes, with its number, too. */
    private static String numbered(String name, String number) {
        String cut = name;
        while ((cut + number).getBytes(StandardCharsets.UTF_8).length > Hello.NAME_BYTES_MAX) {
            cut = cut.substring(0, cut.offsetByCodePoints(cut.length(), -1));
        }
        return cut + number;
    }

    /** The latest connection of a name; one that is being ended may still have it, too. */
    private EngineConnection named(String name) {
        return engines().stream()
                .filter(each -> each.engine().equals(name))
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /** The clock that says how long an engine has been silent, and when its next step is expected. */
    long nanos() {
        return System.nanoTime();
    }

    /** What an engine's steps have taken; kept while the agent runs, for as many engines as may connect. */
    synchronized BudgetChoice budgets(String engine) {
        if (!budgets.containsKey(engine) && budgets.size() == AgentOptions.ENGINES_MAX) {
            budgets.remove(budgets.keySet().iterator().next());
        }
        return budgets.computeIfAbsent(engine, name -> options.budgets().get());
    }

    /**
     * A connection has ended.
     *
     * @param client of its engine, which is given back once all that the engine said is reported; null: it was not let in
     */
    void gone(EngineConnection connection, TailraceClient client) {
        synchronized (this) {
            connections.remove(connection);
        }
        if (client != null && !reports.closed()) {
            reports.then(() -> clients.release(client));
        }
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel channel = nextOrNull();
                if (channel != null) {
                    beginOrClose(channel);
                } else {
                    Thread.sleep(ACCEPT_PAUSE_MILLIS);
                }
            }
        } catch (ClosedChannelException e) {
            LOG.debug("no more engines are taken");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What goes wrong with one connection, as where the process has no file descriptor left, ends nobody else's. */
    private SocketChannel nextOrNull() throws ClosedChannelException {
        try {
            return next();
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn("an engine cannot connect now: {}", e.toString());
            return null;
        }
    }

    /** Waits for a connection. */
    SocketChannel next() throws IOException {
        return listening.accept();
    }

    private void beginOrClose(SocketChannel channel) {
        try {
            begin(channel);
        } catch (IOException | OutOfMemoryError e) { // of memory outside the heap, which ends no process
            LOG.warn("an engine cannot be served now: {}", e.toString());
            try {
                channel.close();
            } catch (IOException closing) {
                LOG.debug("it cannot be closed", closing);
            }
        }
    }

    private synchronized void begin(SocketChannel channel) throws IOException {
        List<EngineConnection> silent =
                connections.keySet().stream().filter(EngineConnection::isSilent).toList();
        if (silent.size() >= SILENT_MAX) {
            LOG.warn("{} connections have said nothing, the oldest is closed", silent.size());
            silent.get(0).closeOrSay();
        }
        EngineConnection connection = new EngineConnection(channel, this);
        Thread thread = new Thread(connection, "engine-" + connections.size());
        thread.setDaemon(true);
        connections.put(connection, thread);
        boolean begun = false;
        try {
            start(thread);
            begun = true;
        } finally {
            if (!begun) {
                connections.remove(connection);
                connection.closeOrSay();
            }
        }
    }

    /** Lets an engine's thread run, if the system has one more. */
    void start(Thread engine) {
        engine.start();
    }

    /** False once no engine can connect any more. */
    boolean live() {
        if (!identity.equals(options.listen().identity())) {
            LOG.error("no engine can connect any more: the socket {} was removed or replaced", options.listen());
            return false;
        }
        return accepting.isAlive();
    }

    /** A bug in an engine's step; told with its stack where it differs from the last one. */
    void broke(EngineConnection connection, RuntimeException bug) {
        metrics.broke();
        if (!bug.toString().equals(lastBug)) {
            lastBug = bug.toString();
            LOG.error("a step of {} broke, the engine goes on without what ended in it", connection.engine(), bug);
        }
    }

    private void end(EngineConnection connection) {
        Thread thread;
        synchronized (this) {
            thread = connections.get(connection);
        }
        connection.closeOrSay();
        if (thread != null) {
            await(thread);
        }
    }

    private static void await(Thread thread) {
        try {
            thread.join(CLOSE_MILLIS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The address is free when this returns: a thread that accepts holds it beyond the closing of its channel. */
    @Override
    public void close() throws IOException {
        options.listen().forget(identity);
        listening.close();
        await(accepting);
        List<EngineConnection> all;
        synchronized (this) {
            all = List.copyOf(connections.keySet());
        }
        all.forEach(this::end);
        reports.close();
    }
}
