package io.tailrace.agent.serve;

import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.ServedModel;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A client for each model that engines of this host serve, opened when the first of them says hello. It stays when the last of them has gone, until
 * an engine calls other tokens by the model's name, or room is needed for another model. Safe for any number of threads.
 */
final class ModelClients implements AutoCloseable {
    private final Opener opener;
    /** By model and revision; the one that was asked for longest ago comes first. */
    private final Map<String, Leased> clients = new LinkedHashMap<>(16, 0.75f, true);

    /** A client, and how many engines use it. */
    private static final class Leased {
        private final TailraceClient client;
        private int engines;

        Leased(TailraceClient client) {
            this.client = client;
        }
    }

    /** Opens and starts the client of a model. */
    interface Opener {
        TailraceClient open(ServedModel model) throws IOException;
    }

    ModelClients(Opener opener) {
        this.opener = opener;
    }

    /**
     * The client of an engine's model, which must be {@linkplain #release given back}.
     *
     * @throws RefusedEngineException if the engine's tokens are not those that other engines of the model have, or it cannot be opened
     */
    synchronized TailraceClient lease(Hello engine) throws RefusedEngineException {
        ServedModel model = model(engine);
        String key = model.model() + "@" + model.revision();
        Leased leased = clients.get(key);
        if (leased != null && !leased.client.options().model().equals(model)) {
            if (leased.engines > 0) {
                throw differs(leased.client.options().model(), model, key);
            }
            close(key);
            leased = null;
        }
        if (leased == null) {
            makeRoom(key);
            leased = new Leased(open(model, key));
            clients.put(key, leased);
        }
        leased.engines++;
        return leased.client;
    }

    /** An engine has gone, and all that it said is reported. */
    synchronized void release(TailraceClient client) {
        clients.values().stream().filter(leased -> leased.client == client).forEach(leased -> leased.engines--);
    }

    /** As they are now. */
    synchronized List<TailraceClient> all() {
        return clients.values().stream().map(leased -> leased.client).toList();
    }

    private static ServedModel model(Hello engine) throws RefusedEngineException {
        try {
            return new ServedModel(
                    engine.model(), engine.revision(), engine.vocabularySize(), engine.tokenizerFingerprint());
        } catch (IllegalArgumentException e) {
            throw new RefusedEngineException(RefusedEngineException.Refusal.MODEL, e.getMessage());
        }
    }

    private void makeRoom(String key) throws RefusedEngineException {
        if (clients.size() < AgentOptions.MODELS_MAX) {
            return;
        }
        String unused = clients.entrySet().stream()
                .filter(each -> each.getValue().engines == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new RefusedEngineException(
                        RefusedEngineException.Refusal.MODEL,
                        "this agent serves %d models already, %s is one more; start another agent for it"
                                .formatted(AgentOptions.MODELS_MAX, key)));
        close(unused);
    }

    private void close(String key) {
        clients.remove(key).client.close();
    }

    private TailraceClient open(ServedModel model, String key) throws RefusedEngineException {
        try {
            return opener.open(model);
        } catch (IOException | RuntimeException e) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.STOPPING,
                    "the agent cannot serve %s now: %s".formatted(key, e.getMessage()));
        }
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
    public synchronized void close() {
        clients.values().forEach(leased -> leased.client.close());
        clients.clear();
    }
}
