package io.tailrace.agent.serve;

import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.ServedModel;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A client for each model that engines of this host serve, opened when the first of them says hello. Safe for any number of threads. */
final class ModelClients implements AutoCloseable {
    private final Opener opener;
    private final Map<String, TailraceClient> clients = new LinkedHashMap<>();

    /** Opens and starts the client of a model. */
    interface Opener {
        TailraceClient open(ServedModel model) throws IOException;
    }

    ModelClients(Opener opener) {
        this.opener = opener;
    }

    /**
     * The client of an engine's model.
     *
     * @throws RefusedEngineException if the engine's tokens are not those of the model known here, or it cannot be opened
     */
    synchronized TailraceClient of(Hello engine) throws RefusedEngineException {
        ServedModel model = model(engine);
        String key = model.model() + "@" + model.revision();
        TailraceClient client = clients.get(key);
        if (client == null) {
            client = open(model, key);
            clients.put(key, client);
        }
        check(client.options().model(), model, key);
        return client;
    }

    /** As they are now. */
    synchronized List<TailraceClient> all() {
        return List.copyOf(clients.values());
    }

    private static ServedModel model(Hello engine) throws RefusedEngineException {
        try {
            return new ServedModel(
                    engine.model(), engine.revision(), engine.vocabularySize(), engine.tokenizerFingerprint());
        } catch (IllegalArgumentException e) {
            throw new RefusedEngineException(RefusedEngineException.Refusal.MODEL, e.getMessage());
        }
    }

    private TailraceClient open(ServedModel model, String key) throws RefusedEngineException {
        if (clients.size() == AgentOptions.MODELS_MAX) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.MODEL,
                    "this agent serves %d models already, %s is one more; start another agent for it"
                            .formatted(AgentOptions.MODELS_MAX, key));
        }
        try {
            return opener.open(model);
        } catch (IOException | RuntimeException e) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.STOPPING,
                    "the agent cannot serve %s now: %s".formatted(key, e.getMessage()));
        }
    }

    private static void check(ServedModel known, ServedModel model, String key) throws RefusedEngineException {
        if (!known.equals(model)) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.MODEL,
                    "%s has a vocabulary of %d and tokenizer %s here, the engine says %d and %s; give the engine's model another name or revision"
                            .formatted(
                                    key,
                                    known.vocabularySize(),
                                    known.tokenizerFingerprint(),
                                    model.vocabularySize(),
                                    model.tokenizerFingerprint()));
        }
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(TailraceClient::close);
        clients.clear();
    }
}
