package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tailrace.agent.TestDoor;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A system that has no thread left for an engine. */
class EngineThreadsTest {
    @TempDir
    private Path folder;

    /** Names of threads that were to start: they say how many connections there were before. */
    private final List<String> threads = new CopyOnWriteArrayList<>();

    private final ModelClients clients =
            new ModelClients(model -> TailraceClient.open(LoneAgent.client(folder, model)));
    private final EndedReports reports = new EndedReports();
    private final AgentMetrics metrics =
            new AgentMetrics("agent-1", clients::all, List::of, reports::failures, () -> 0);

    @Test
    void aConnectionWhoseThreadDoesNotStartLeavesNothingBehind() throws IOException {
        Path socket = LoneAgent.socket(folder);
        try (clients;
                metrics;
                EngineServer server = server()) {
            server.start();
            try (TestDoor first = new TestDoor(socket);
                    TestDoor second = new TestDoor(socket)) {
                await().atMost(Duration.ofSeconds(60)).until(() -> threads.size() == 2);
                assertThat(threads).as("%s, %s", first, second).containsExactly("engine-0", "engine-0");
            }
        }
    }

    private EngineServer server() throws IOException {
        AgentOptions options = LoneAgent.options(folder, BudgetChoice::measured);
        return new EngineServer(options, clients, metrics, reports) {
            @Override
            void start(Thread engine) {
                threads.add(engine.getName());
                if (threads.size() == 1) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start(engine);
            }
        };
    }
}
