package io.tailrace.agent.serve;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an agent is.
 *
 * @param name unique in the fleet
 * @param listen where engines connect
 * @param scope of requests whose engine names none; empty: they draft from their own context only
 * @param clients how the client of a model is to be
 * @param budgets decides for an engine how much to draft
 * @param kept folder where the answers of an agent alone are kept; empty: it is in a fleet
 * @param spools of its models; empty: it is alone
 * @param host address of metrics, health and status
 * @param port its port; 0: any free one
 */
public record AgentOptions(
        String name,
        ListenAddress listen,
        String scope,
        Function<ServedModel, ClientOptions> clients,
        Supplier<BudgetChoice> budgets,
        Optional<Path> kept,
        Optional<ModelSpools> spools,
        String host,
        int port) {
    /** More engines are refused. */
    static final int ENGINES_MAX = 64;
    /** More models are refused: each has threads, connections and memory of its own. */
    static final int MODELS_MAX = 8;
    /** Of a lane that is kept: some 130 MB on disk. */
    static final long KEPT_TOKENS_MAX = 16_000_000;

    public AgentOptions {
        ClientOptions.checkName("name", name);
        Objects.requireNonNull(listen, "listen");
        if (!scope.isEmpty()) {
            checkScope(scope);
        }
        Objects.requireNonNull(clients, "clients");
        Objects.requireNonNull(budgets, "budgets");
        Objects.requireNonNull(kept, "kept");
        Objects.requireNonNull(spools, "spools");
        Objects.requireNonNull(host, "host");
    }

    /** Requests would share nothing where it cannot be one, and the doctor would name it all the same. */
    private static void checkScope(String scope) {
        LaneId unused = new LaneId("any", "any", scope);
    }
}
