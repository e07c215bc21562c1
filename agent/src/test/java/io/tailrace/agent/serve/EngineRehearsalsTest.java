package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.EveryNthStep;
import io.tailrace.agent.TestDoor;
import io.tailrace.client.TailraceClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent rehearses for steps in which it drafts. */
class EngineRehearsalsTest {
    private static final long STEP_NANOS = 10_000_000;

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final ModelClients clients =
            new ModelClients(model -> TailraceClient.open(LoneAgent.client(folder, model)));
    private final EndedReports reports = new EndedReports();
    private final AgentMetrics metrics =
            new AgentMetrics("agent-1", clients::all, List::of, reports::failures, () -> 0);

    @Test
    void whereNothingIsDraftedNothingIsRehearsed() throws IOException {
        Path socket = LoneAgent.socket(folder);
        try (clients;
                metrics;
                EngineServer server = server()) {
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

    private EngineServer server() throws IOException {
        AgentOptions options = LoneAgent.options(folder, EveryNthStep::never);
        return new EngineServer(options, clients, metrics, reports) {
            @Override
            long nanos() {
                return nanos.get();
            }
        };
    }
}
