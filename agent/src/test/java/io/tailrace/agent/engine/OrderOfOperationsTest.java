package io.tailrace.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.agent.protocol.StepWriter;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a STEP a request is extended, ended or asked for once, in this order; anything else is refused and said. */
class OrderOfOperationsTest implements EngineSteps.Listener {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, false, "engine", "llama", "1", "sha256:0");
    private static final int[] SAID = {1, 2, 3, 4};

    @TempDir
    private Path folder;

    /** What a running request is told of in its second step. */
    private void take(UnaryOperator<StepWriter> second) throws Exception {
        ClientOptions options =
                ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        FrameWriter reply = new FrameWriter();
        StepWriter step = new StepWriter();
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps = new EngineSteps(client, HELLO, "public", BudgetChoice.fixed(0), this)) {
            steps.step(
                    StepFrame.read(step.next(0, 0, 0, 32)
                            .begin(1, "a", "public", SAID)
                            .draft(1, 3)
                            .asRead()),
                    0,
                    reply);
            steps.afterReply();
            steps.step(StepFrame.read(second.apply(step.next(0, 0, 0, 32)).asRead()), 0, reply);
            steps.afterReply();
            assertThat(steps.running()).isLessThanOrEqualTo(2);
        }
    }

    private void assertRefused(String words, UnaryOperator<StepWriter> second) {
        assertThatThrownBy(() -> take(second))
                .isInstanceOf(RefusedEngineException.class)
                .hasMessageContaining(words);
    }

    @Test
    void whatThePageAllowsIsTaken() throws Exception {
        take(step -> step.extend(1, 0, SAID, 0, 1).draft(1, 3));
        take(step -> step.extend(1, 0, SAID, 0, 1).end(1, EndReason.STOP, 7));
        take(step -> step.begin(2, "b", "public", SAID).extend(2, 0, SAID, 0, 1).draft(2, 3));
        take(step -> step.end(1, EndReason.STOP, 7)
                .begin(1, "b", "public", SAID)
                .extend(1, 0, SAID, 0, 1)
                .draft(1, 3));
    }

    @Test
    void aSecondExtendIsRefused() {
        assertRefused(
                "request 1 has two EXTENDs in one STEP",
                step -> step.extend(1, 0, SAID, 0, 1).extend(1, 0, SAID, 1, 2));
    }

    @Test
    void nothingComesAfterADraft() {
        assertRefused(
                "request 1 has DRAFT after DRAFT in one STEP",
                step -> step.draft(1, 3).draft(1, 3));
        assertRefused(
                "request 1 has END after DRAFT in one STEP",
                step -> step.draft(1, 3).end(1, EndReason.STOP, 7));
        assertRefused(
                "request 1 has EXTEND after DRAFT in one STEP",
                step -> step.draft(1, 3).extend(1, 0, SAID, 0, 1));
    }

    @Test
    void nothingComesAfterAnEnd() {
        assertRefused(
                "request 1 is not running",
                step -> step.end(1, EndReason.STOP, 7).end(1, EndReason.STOP, 7));
    }

    @Override
    public void drafted(long nanos) {
        assertThat(nanos).isPositive();
    }

    @Override
    public void came(DraftAnswer what) {
        assertThat(what).isNotEqualTo(DraftAnswer.SKIPPED);
    }

    @Override
    public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
        assertThat(sequence).isEqualTo(2);
    }
}
