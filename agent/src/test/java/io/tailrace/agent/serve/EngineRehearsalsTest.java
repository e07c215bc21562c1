package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.TestDoor;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent rehearses for steps in which it drafts. */
class EngineRehearsalsTest {
    private static final long STEP_NANOS = 10_000_000;

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final ModelClients clients = new ModelClients(model -> TailraceClient.open(options(model)));
    private final EndedReports reports = new EndedReports();
    private final AgentMetrics metrics = new AgentMetrics("agent-1", clients::all, List::of, reports::failures);

    @Test
    void whereNothingIsDraftedNothingIsRehearsed() throws IOException {
        Path socket = folder.resolve("agent.sock");
        try (clients;
                metrics;
                EngineServer server = server(socket)) {
            server.start();
            try (TestDoor door = new TestDoor(socket)) {
                assertThat(door.hello("engine-1", 1_000, "llama", "sha256:0")).isNull();
                door.begin(1, "a", "public", 3, TestDoor.prompt(1)).draft(1, 16);
                for (int step = 0; step < 30; step++) {
                    nanos.addAndGet(STEP_NANOS);
                    assertThat(door.step(STEP_NANOS, 1, 1).drafts()).hasSize(1);
                    if (step > StepRhythm.STEPS_IN_VAIN) {
                        assertThat(server.engines().get(0).millis())
                                .as("step %d", step)
                                .isZero();
                    }
                    door.extend(1, 0, 5).draft(1, 16);
                }
            }
        }
    }

    private EngineServer server(Path socket) throws IOException {
        AgentOptions options = new AgentOptions(
                "agent-1",
                ListenAddress.parse(socket.toString()),
                "public",
                this::options,
                Never::new,
                Optional.empty(),
                Optional.empty(),
                "127.0.0.1",
                0);
        return new EngineServer(options, clients, metrics, reports) {
            @Override
            long nanos() {
                return nanos.get();
            }
        };
    }

    private ClientOptions options(ServedModel model) {
        return ClientOptions.alone("agent-1", model, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
    }

    /** Lets nobody draft. */
    private static final class Never implements BudgetChoice, RequestBudget {
        @Override
        public RequestBudget begin(CostCurve announced) {
            return this;
        }

        @Override
        public int draftTokens(int batch, int most) {
            return 0;
        }

        @Override
        public float probabilityMin() {
            return 0;
        }

        @Override
        public void learn(Draft draft, int nodes, Verdict verdict, long draftNanos) {
            throw new IllegalStateException("nothing was drafted");
        }

        @Override
        public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes) {
            Arrays.fill(nodes, 0, drafts.size(), 0);
        }

        @Override
        public void measured(int batch, int tokens, long nanos) {
            // Times change nothing here.
        }
    }
}
