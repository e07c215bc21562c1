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
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportedRequestsTest implements EngineSteps.Listener {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, true, "engine", "llama", "1", "sha256:0");
    private static final int[] PROMPT = {11, 12, 13, 14, 15};
    private static final int[] ANSWER = {21, 22, 23};
    /** In DRAFTS, the number of tokens of its only draft: behind the header, what is reported, flags, the number of drafts and the request. */
    private static final int TOKENS_AT = 16 + 8 + 4 + 4 + 4;

    @TempDir
    private Path folder;

    private final List<ServedRequest> reported = new ArrayList<>();
    private StepWriter step;
    private final FrameWriter reply = new FrameWriter();

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

    /** An agent that was away is told of whole answers. The engine made a step for each token of them. */
    @Test
    void anAnswerThatIsToldWhenItHasEndedTookAStepForEachToken() throws Exception {
        assertThat(served(true, EndReason.STOP).outcome().getSteps()).isEqualTo(ANSWER.length);
        ServedRequest retold = served(
                true,
                KeptOfPrompts.usual(),
                BudgetChoice.measured(),
                List.of(() -> step.next(0, 0, 0, 16)
                        .begin(1, "a", "public", PROMPT)
                        .extend(1, 0, ANSWER, 0, ANSWER.length)
                        .end(1, EndReason.STOP, 1_000)));
        assertThat(retold.outcome().getResponseTokens()).isEqualTo(ANSWER.length);
        assertThat(retold.outcome().getSteps()).isEqualTo(ANSWER.length);
    }

    /** A door that leaves steps out says in one EXTEND what several steps said. Only the first of them verified the draft. */
    @Test
    void stepsThatWereLeftOutAreCounted() throws Exception {
        int[] cycle = new int[60];
        Arrays.setAll(cycle, at -> at % 5);
        AtomicInteger verified = new AtomicInteger();
        ServedRequest served = served(
                true,
                KeptOfPrompts.usual(),
                BudgetChoice.fixed(),
                List.of(
                        () -> step.next(0, 0, 0, 16)
                                .begin(1, "a", "public", Arrays.copyOf(cycle, 20))
                                .draft(1, 4),
                        () -> {
                            verified.set(handed());
                            return step.next(1_000_000, 1, 1, 16)
                                    .extend(1, verified.get(), cycle, 20, 40)
                                    .end(1, EndReason.STOP, 1_000);
                        }));
        assertThat(verified.get()).isPositive();
        assertThat(served.outcome().getAccepted()).isPositive();
        assertThat(served.outcome().getSteps()).isEqualTo(20 - served.outcome().getAccepted());
    }

    private ServedRequest served(boolean prompts, EndReason reason) throws Exception {
        return served(prompts, reason, KeptOfPrompts.usual());
    }

    private ServedRequest served(boolean prompts, EndReason reason, KeptOfPrompts kept) throws Exception {
        return served(
                prompts,
                kept,
                BudgetChoice.measured(),
                List.of(
                        () -> step.next(0, 0, 0, 16).begin(1, "a", "public", PROMPT),
                        () -> step.next(1_000_000, 1, 1, 16)
                                .extend(1, 0, ANSWER, 0, ANSWER.length)
                                .end(1, reason, 1_000)));
    }

    /** The request that these steps end. */
    private ServedRequest served(
            boolean prompts, KeptOfPrompts kept, BudgetChoice budget, List<Supplier<StepWriter>> told)
            throws Exception {
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
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps = new EngineSteps(client, HELLO, "public", budget, this)) {
            step = new StepWriter();
            for (Supplier<StepWriter> next : told) {
                steps.step(StepFrame.read(next.get().asRead()), 0, reply);
                steps.afterReply();
            }
        }
        return reported.get(reported.size() - 1);
    }

    /** Tokens of the only draft of the reply. */
    private int handed() {
        return reply.end().duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(TOKENS_AT);
    }

    @Override
    public void drafted(long nanos) {
        // Times are others' concern.
    }

    @Override
    public void came(DraftAnswer what) {
        // Counted by others.
    }

    @Override
    public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
        reported.add(request.served());
    }
}
