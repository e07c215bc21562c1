package io.tailrace.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.agent.protocol.StepWriter;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.schemas.Finish;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.TokenIds;
import io.tailrace.suffix.KeptOfPrompts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedRequestsTest implements EngineSteps.Listener {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, true, "engine", "llama", "1", "sha256:0");
    private static final int[] PROMPT = {11, 12, 13, 14, 15};
    private static final int[] ANSWER = {21, 22, 23};

    @TempDir
    private Path folder;

    private final List<ServedRequest> reported = new ArrayList<>();

    @Test
    void aPromptIsReported() throws Exception {
        assertThat(TokenIds.toArray(served(true, EndReason.STOP).generation().getPrompt()))
                .containsExactly(PROMPT);
    }

    @Test
    void whereNoneMayBeReportedTheAnswerIsAlone() throws Exception {
        Generation generation = served(false, EndReason.STOP).generation();
        assertThat(generation.getPrompt()).isNull();
        assertThat(TokenIds.toArray(generation.getResponse())).containsExactly(ANSWER);
    }

    @Test
    void ofAPromptTheLastTokensAreRemembered() throws Exception {
        assertThat(served(true, EndReason.STOP).answer().promptTail()).containsExactly(13, 14, 15);
        assertThat(served(true, EndReason.STOP).answer().signature().size()).isPositive();
    }

    @Test
    void noMoreThanItsScopeKeeps() throws Exception {
        KeptOfPrompts none = KeptOfPrompts.parse(List.of("public=0"), List.of("public=off"));
        assertThat(served(true, EndReason.STOP, none).answer().promptTail()).isEmpty();
        assertThat(served(true, EndReason.STOP, none).answer().signature().size())
                .isZero();
        KeptOfPrompts much = KeptOfPrompts.parse(List.of("public=32"), List.of());
        assertThat(served(true, EndReason.STOP, much).answer().promptTail()).containsExactly(PROMPT);
    }

    @Test
    void anAbortedRequestIsMarked() throws Exception {
        assertThat(served(true, EndReason.ABORTED).outcome().getFinish()).isEqualTo(Finish.ABORTED);
        assertThat(served(true, EndReason.STOP).outcome().getFinish()).isEqualTo(Finish.STOP);
    }

    private ServedRequest served(boolean prompts, EndReason reason) throws Exception {
        return served(prompts, reason, KeptOfPrompts.usual());
    }

    private ServedRequest served(boolean prompts, EndReason reason, KeptOfPrompts kept) throws Exception {
        ReportingOptions reporting = new ReportingOptions(
                KafkaAccess.of("127.0.0.1:1"),
                Optional.empty(),
                Optional.of(folder.resolve("spool")),
                Reporter.SPOOL_BYTES_MIN,
                prompts,
                Duration.ZERO);
        ClientOptions options = ClientOptions.alone(
                        "agent",
                        MODEL,
                        FollowOptions.of(folder.toUri(), folder.resolve("cache"))
                                .withPrompts(kept))
                .withReporting(reporting);
        FrameWriter reply = new FrameWriter();
        StepWriter step = new StepWriter();
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps = new EngineSteps(client, HELLO, "public", BudgetChoice.measured(), this)) {
            step.next(0, 0, 0, 16).begin(1, "a", "public", PROMPT);
            steps.step(StepFrame.read(step.asRead()), 0, reply);
            steps.afterReply();
            step.next(1_000_000, 1, 1, 16)
                    .extend(1, 0, ANSWER, 0, ANSWER.length)
                    .end(1, reason, 1_000);
            steps.step(StepFrame.read(step.asRead()), 0, reply);
            steps.afterReply();
        }
        return reported.get(reported.size() - 1);
    }

    @Override
    public void drafted(int requests, long nanos) {}

    @Override
    public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
        reported.add(request.served());
    }
}
