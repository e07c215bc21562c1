package io.tailrace.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.agent.protocol.StepWriter;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.verification.DecodeTally;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A door tells what has ended while the model computes, as in a step that takes seconds. */
class MiddleOfStepTest implements EngineSteps.Listener {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, false, "engine", "llama", "1", "sha256:0");
    private static final int[] CYCLE = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    private static final long STEP_NANOS = 2_000_000_000;

    @TempDir
    private Path folder;

    private final StepWriter step = new StepWriter();
    private final FrameWriter reply = new FrameWriter();
    private final Map<String, EngineSteps.Ended> ended = new HashMap<>();

    @Test
    void anEndInTheMiddleOfAStepLeavesTheOthersDraftsUnderVerification() throws Exception {
        ClientOptions options =
                ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps = new EngineSteps(client, HELLO, "public", BudgetChoice.fixed(0), this)) {
            step.next(0, 0, 0, 32).begin(1, "a", "public", CYCLE).draft(1, 3);
            take(steps, step.begin(2, "b", "public", CYCLE).draft(2, 3));
            take(steps, step.next(0, 0, 0, 0).extend(2, 3, CYCLE, 0, 4).end(2, EndReason.STOP, 1_000));
            assertThat(tally("b").accepted()).isEqualTo(3);
            take(steps, step.next(0, 0, 0, 0));
            take(
                    steps,
                    step.next(STEP_NANOS, 1, 4, 32).extend(1, 3, CYCLE, 0, 4).draft(1, 3));
            step.next(STEP_NANOS, 1, 4, 32).extend(1, 3, CYCLE, 0, 4);
            take(steps, step.end(1, EndReason.STOP, 2_000));
            assertThat(tally("a").steps()).isEqualTo(2);
            assertThat(tally("a").accepted()).isEqualTo(6);
        }
    }

    private DecodeTally tally(String request) {
        return ended.get(request).served().decoded().tally();
    }

    private void take(EngineSteps steps, StepWriter told) throws Exception {
        steps.step(StepFrame.read(told.asRead()), 0, reply);
        steps.afterReply();
    }

    @Override
    public void drafted(long nanos) {
        assertThat(nanos).isPositive();
    }

    @Override
    public void came(DraftAnswer what) {
        assertThat(what).isNotNull();
    }

    @Override
    public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
        ended.put(request.served().requestId(), request);
    }
}
