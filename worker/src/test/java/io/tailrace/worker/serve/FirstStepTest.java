package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.internal.PolicyTerms;
import io.tailrace.client.follow.internal.AnnouncedSnapshots;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeEngine;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.engine.EngineParts;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.LetterTokenizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A worker that has measured nothing yet, and what the fleet's cost curve makes of its first step. */
class FirstStepTest {
    private static final String CLASS = "cpu-8";
    /** A text that repeats itself: its own context foretells what comes. */
    private static final int[] PROMPT =
            IntStream.range(0, 96).map(i -> 3 + i % 8).toArray();

    private static CostCurve curve(double microsPerToken) {
        return CostCurve.of(
                List.of(new CostCurve.Point(1, 1, 10_000), new CostCurve.Point(1, 65, 10_000 + 64 * microsPerToken)));
    }

    /** Tokens of each pass of one answer. */
    private static List<Integer> passes(LiveSnapshot live, String workerClass, int tokensMax) throws Exception {
        List<Integer> passes = Collections.synchronizedList(new ArrayList<>());
        EngineParts.Listener listener = new EngineParts.Listener() {
            @Override
            public void stepped(int batch, int tokens, long nanos, long draftNanos) {
                passes.add(tokens);
            }
        };
        DraftOptions drafts = DraftOptions.defaults();
        EngineParts parts = new EngineParts(
                TestWorker.repeating(),
                new LetterTokenizer(),
                new int[] {LetterTokenizer.END},
                DraftSources.create(drafts, null, scope -> live, 1),
                scope -> new PolicyTerms(live, workerClass),
                BudgetChoice.measured(),
                listener);
        CompletableFuture<Answer> ended = new CompletableFuture<>();
        try (DecodeEngine engine = DecodeEngine.start("first-step", parts, EngineOptions.defaults())) {
            engine.submit(DecodeRequest.greedy("r", "s", PROMPT, tokensMax), new Held(ended));
            ended.get(60, TimeUnit.SECONDS);
        }
        return passes;
    }

    private record Held(CompletableFuture<Answer> answer) implements Answer.Sink {
        @Override
        public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {
            // The whole answer is looked at.
        }

        @Override
        public void finished(Answer ended) {
            answer.complete(ended);
        }

        @Override
        public void failed(Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }

    private static LiveSnapshot announced(DraftPolicy policy, CostCurve curve) {
        return new LiveSnapshot(AnnouncedSnapshots.snapshot(1, policy, CLASS, curve));
    }

    @Test
    void whereTheFleetSaysThatVerifyingIsDearTheFirstStepCarriesNoDraft() throws Exception {
        assertThat(passes(announced(DraftPolicy.defaults(), curve(12_000)), CLASS, 20)
                        .get(0))
                .isEqualTo(PROMPT.length);
    }

    @Test
    void whereTheFleetSaysThatVerifyingIsFreeTheFirstStepCarriesALongOne() throws Exception {
        assertThat(passes(announced(DraftPolicy.defaults(), curve(1)), CLASS, 20)
                        .get(0))
                .isGreaterThanOrEqualTo(PROMPT.length + 8);
    }

    @Test
    void aCurveOfAnotherClassIsNoneAndTheFirstStepsArePlain() throws Exception {
        assertThat(passes(announced(DraftPolicy.defaults(), curve(1)), "gpu-1", 20)
                        .subList(0, 4))
                .containsExactly(PROMPT.length, 1, 1, 1);
    }

    @Test
    void aLaneThatIsOffVerifiesNothingHoweverCheap() throws Exception {
        DraftPolicy defaults = DraftPolicy.defaults();
        DraftPolicy off = new DraftPolicy(
                false, defaults.budgetMax(), defaults.probabilityFloor(), defaults.weightsLayout(), defaults.weights());
        List<Integer> passes = passes(announced(off, curve(1)), CLASS, 50);
        assertThat(passes.get(0)).isEqualTo(PROMPT.length);
        assertThat(passes.subList(1, passes.size())).hasSize(49).containsOnly(1);
    }
}
