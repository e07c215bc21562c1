package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.verification.DecodeTally.StepShape;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LetterTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StepTimesTest {
    /** What an outcome says of a step is what the budget measured of it: the same batch, all requests' tokens, the same time. */
    @Test
    void everyRequestOfABatchReportsTheWholeStep() throws InterruptedException {
        Map<StepShape, Integer> made = new ConcurrentHashMap<>();
        Map<StepShape, Integer> reported = new TreeMap<>();
        for (long seed = 0; seed < 20; seed++) {
            HashModel model = HashModel.of(seed);
            List<HeldAnswer> answers = new ArrayList<>();
            EngineParts.Listener listener = new EngineParts.Listener() {
                @Override
                public void stepped(int batch, int tokens, long nanos, long draftNanos) {
                    made.merge(new StepShape(batch, tokens), batch, Integer::sum);
                }
            };
            EngineParts parts = new EngineParts(
                    model,
                    new LetterTokenizer(),
                    new int[] {LetterTokenizer.END},
                    new RandomDrafts(model, seed, false),
                    BudgetChoice.fixed(),
                    listener);
            try (DecodeEngine engine = DecodeEngine.start("test", parts, EngineOptions.defaults())) {
                CountDownLatch submitted = new CountDownLatch(1);
                for (int i = 0; i < 12; i++) {
                    answers.add(new HeldAnswer(() -> HeldAnswer.awaitQuietly(submitted)));
                    engine.submit(DecodeRequest.greedy("r" + i, "s", new int[] {1 + i}, 60), answers.get(i));
                }
                submitted.countDown();
                for (HeldAnswer answer : answers) {
                    answer.await().decoded().tally().stepTimes().forEach((shape, total) -> {
                        reported.merge(shape, total.steps(), Integer::sum);
                        assertThat(shape.verifiedTokens()).isGreaterThanOrEqualTo(shape.batch());
                    });
                }
            }
        }
        assertThat(reported).isEqualTo(new TreeMap<>(made));
        assertThat(reported.keySet()).anyMatch(shape -> shape.batch() == 8 && shape.verifiedTokens() > 40);
    }
}
