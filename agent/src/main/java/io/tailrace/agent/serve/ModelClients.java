package io.tailrace.agent.serve;

import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.ServedModel;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A client for each model that engines of this host serve, opened when the first of them says hello. It stays when the last of them has gone, until
 * an engine calls other tokens by the model's name, or room is needed for another model. Opening and closing one holds nobody up but the engines that
 * wait for it. Safe for any number of threads.
 */
final class ModelClients implements AutoCloseable {
    private final Opener opener;
    /** By model and revision; the one that was asked for longest ago comes first. */
    private final Map<String, Leased> clients = new LinkedHashMap<>(16, 0.75f, true);
    /** Those that are open; replaced under the lock, read without. */
    private volatile Open open = new Open(List.of(), 0, 0);

    /** Clients, and what those have counted that are closed. */
    private record Open(List<TailraceClient> clients, long failuresBefore, long skippedBefore) {}

    /** A client, open or about to be, and how many engines use it or wait for it. */
    private static final class Leased {
        private final ServedModel model;
        private final CompletableFuture<TailraceClient> client = new CompletableFuture<>();
        private int engines;

        Leased(ServedModel model) {
            this.model = model;
        }

        /** The client once it is open, else null. */
        TailraceClient openOrNull() {
            return client.isCompletedExceptionally() ? null : client.getNow(null);
        }
    }

    /** Opens and starts the client of a model, and hears of those that have made room. */
    interface Opener {
        TailraceClient open(ServedModel model) throws IOException;

        /** The client of this model is closed; what it had not sent is still to be sent. */
        default void closed(ServedModel model) {}
    }

    ModelClients(Opener opener) {
        this.opener = opener;
    }

    /**
     * The client of an engine's model, which must be {@linkplain #release given back}. The first who asks opens it, the others wait.
     *
     * @throws RefusedEngineException if the engine's tokens are not those that other engines of the model have, or it cannot be opened
     */
    TailraceClient lease(Hello engine) throws RefusedEngineException {
        ServedModel model = model(engine);
        String key = model.model() + "@" + model.revision();
        Leased leased;
        Leased replaced = null;
        boolean opens = false;
        synchronized (this) {
            leased = clients.get(key);
            if (leased != null && !leased.model.equals(model)) {
                if (leased.engines > 0) {
                    throw differs(leased.model, model, key);
                }
                replaced = remove(key);
                leased = null;
            }
            if (leased == null) {
                replaced = replaced == null ? makeRoom(key) : replaced;
                leased = new Leased(model);
                clients.put(key, leased);
                opens = true;
            }
            leased.engines++;
        }
        if (opens) {
            open(leased, key, replaced);
        }
        try {
            return leased.client.join();
        } catch (CompletionException e) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.STOPPING,
                    "the agent cannot serve %s now: %s"
                            .formatted(key, e.getCause().getMessage()));
        }
    }

    /** An engine has gone, and all that it said is reported. */
    synchronized void release(TailraceClient client) {
        clients.values().stream()
                .filter(leased -> leased.openOrNull() == client)
                .forEach(leased -> leased.engines--);
    }

    /** Those that are open now; waits for nobody. */
    List<TailraceClient> all() {
        return open.clients;
    }

    /** Reports that these failed to bring, and those that are closed. */
    long reportFailures() {
        Open now = open;
        return now.failuresBefore
                + now.clients.stream().mapToLong(TailraceClient::reportFailures).sum();
    }

    /** Records that these skipped, and those that are closed. */
    long skippedRecords() {
        Open now = open;
        return now.skippedBefore
                + now.clients.stream().mapToLong(TailraceClient::skippedRecords).sum();
    }

    private void open(Leased leased, String key, Leased replaced) {
        TailraceClient client = null;
        try {
            if (replaced != null && replaced.openOrNull() != null) {
                replaced.openOrNull().close();
                opener.closed(replaced.model);
            }
            client = opener.open(leased.model);
            if (!keep(leased, key, client)) {
                client.close();
                leased.client.completeExceptionally(new IOException("it stops"));
            }
        } catch (IOException | RuntimeException | Error e) {
            drop(leased, key);
            leased.client.completeExceptionally(e);
            if (e instanceof Error error) {
                throw error;
            }
        }
    }

    /** False if the agent was closed meanwhile. */
    private synchronized boolean keep(Leased leased, String key, TailraceClient client) {
        if (clients.get(key) != leased) {
            return false;
        }
        leased.client.complete(client);
        listOpen(0, 0);
        return true;
    }

    private synchronized void drop(Leased leased, String key) {
        clients.remove(key, leased);
    }

    private Leased remove(String key) {
        Leased removed = clients.remove(key);
        TailraceClient client = removed.openOrNull();
        listOpen(client == null ? 0 : client.reportFailures(), client == null ? 0 : client.skippedRecords());
        return removed;
    }

    private void listOpen(long moreFailures, long moreSkipped) {
        List<TailraceClient> now = clients.values().stream()
                .map(Leased::openOrNull)
                .filter(Objects::nonNull)
                .toList();
        open = new Open(now, open.failuresBefore + moreFailures, open.skippedBefore + moreSkipped);
    }

    private static ServedModel model(Hello engine) throws RefusedEngineException {
        try {
            return new ServedModel(
                    engine.model(), engine.revision(), engine.vocabularySize(), engine.tokenizerFingerprint());
        } catch (IllegalArgumentException e) {
            throw new RefusedEngineException(RefusedEngineException.Refusal.MODEL, e.getMessage());
        }
    }

    /** The client that makes room for another, or null: there is room. */
    private Leased makeRoom(String key) throws RefusedEngineException {
        if (clients.size() < AgentOptions.MODELS_MAX) {
            return null;
        }
        return remove(clients.entrySet().stream()
                .filter(each -> each.getValue().engines == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new RefusedEngineException(
                        RefusedEngineException.Refusal.MODEL,
                        "this agent serves %d models already, %s is one more; start another agent for it"
                                .formatted(AgentOptions.MODELS_MAX, key))));
    }

    private static RefusedEngineException differs(ServedModel known, ServedModel model, String key) {
        return new RefusedEngineException(
                RefusedEngineException.Refusal.MODEL,
                "%s has a vocabulary of %d and tokenizer %s here, the engine says %d and %s; give the engine's model another name or revision"
                        .formatted(
                                key,
                                known.vocabularySize(),
                                known.tokenizerFingerprint(),
                                model.vocabularySize(),
                                model.tokenizerFingerprint()));
    }

    @Override
    public void close() {
        List<TailraceClient> closing;
        synchronized (this) {
            closing = open.clients;
            clients.clear();
            listOpen(0, 0);
        }
        closing.forEach(TailraceClient::close);
    }
}
