package io.tailrace.agent.serve;

import io.tailrace.client.ClientOptions;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** Options of an agent without a fleet, all of whose files lie in one folder. */
final class LoneAgent {
    private LoneAgent() {}

    static Path socket(Path folder) {
        return folder.resolve("agent.sock");
    }

    static AgentOptions options(Path folder, Supplier<BudgetChoice> budgets) {
        return new AgentOptions(
                "agent-1",
                ListenAddress.parse(socket(folder).toString()),
                "public",
                model -> client(folder, model),
                budgets,
                Optional.empty(),
                Optional.empty(),
                "127.0.0.1",
                0);
    }

    static ClientOptions client(Path folder, ServedModel model) {
        return ClientOptions.alone("agent-1", model, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
    }
}
