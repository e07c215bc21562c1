package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.sampling.SamplingParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How likely each token was is the plain model's log-softmax, whether the token was drafted, the model's own, greedy or sampled. */
class LogprobsTest {
    private static final int END = LetterTokenizer.END;
    private static final double ROUNDING = 1e-9;

    @ParameterizedTest
    @CsvSource({"1, true", "8, false"})
    void theyAreThePlainModelsOfTheChosenTokensAndOfTheLikeliest(int batchMax, boolean linear) throws Exception {
        int accepted = 0;
        for (long seed = 0; seed < 20; seed++) {
            HashModel model = HashModel.of(seed);
            SplittableRandom random = new SplittableRandom(seed);
            EngineParts parts = new EngineParts(
                    model,
                    new LetterTokenizer(),
                    new int[] {END},
                    new RandomDrafts(model, seed, linear),
                    BudgetChoice.fixed(),
                    EngineParts.Listener.NONE);
            EngineOptions options = EngineOptions.defaults().withBatchMax(batchMax);
            try (DecodeEngine engine = DecodeEngine.start("test", parts, options)) {
                List<Held> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Held held = new Held(request(random, i, model.vocabularySize()));
                    answers.add(held);
                    engine.submit(held.request, held);
                }
                for (Held held : answers) {
                    accepted += held.requireTrue(model);
                }
            }
        }
        assertThat(accepted).as("draft tokens that were right").isGreaterThan(500);
    }

    private static DecodeRequest request(SplittableRandom random, int number, int vocabularySize) {
        int[] prompt = random.ints(1 + random.nextInt(30), 1, vocabularySize).toArray();
        SamplingParameters sampling = random.nextBoolean()
                ? SamplingParameters.GREEDY
                : new SamplingParameters(0.7f, random.nextBoolean() ? 0 : 5, 0.9f, random.nextLong());
        int top = random.nextInt(-1, vocabularySize + 2);
        return new DecodeRequest("r" + number, "s", prompt, 60, sampling, List.of(), true, true, top);
    }

    private static final class Held implements Answer.Sink {
        private final DecodeRequest request;
        private final List<TokenLogprob> logprobs = new ArrayList<>();
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();

        Held(DecodeRequest request) {
            this.request = request;
        }

        @Override
        public void tokens(int[] tokens, int count, String text, List<TokenLogprob> added) {
            assertThat(added).hasSize(request.logprobs() ? count : 0);
            logprobs.addAll(added);
        }

        @Override
        public void finished(Answer complete) {
            answer.complete(complete);
        }

        @Override
        public void failed(Throwable cause) {
            answer.completeExceptionally(cause);
        }

        /** Returns how many draft tokens were accepted. */
        int requireTrue(HashModel model) throws Exception {
            Answer ended = answer.get(60, TimeUnit.SECONDS);
            int[] output = ended.decoded().output();
            assertThat(logprobs).hasSize(request.logprobs() ? output.length : 0);
            int[] context = Arrays.copyOf(request.prompt(), request.prompt().length + output.length);
            int length = request.prompt().length;
            for (TokenLogprob each : logprobs) {
                assertThat(each.token()).isEqualTo(output[length - request.prompt().length]);
                requireTrue(each, model.logits(context, length));
                context[length++] = each.token();
            }
            return ended.decoded().tally().accepted();
        }

        private void requireTrue(TokenLogprob each, float[] row) {
            double sum = IntStream.range(0, row.length)
                    .mapToDouble(i -> Math.exp(row[i]))
                    .sum();
            assertThat(each.logprob()).isCloseTo(Math.log(Math.exp(row[each.token()]) / sum), within(ROUNDING));
            int[] likeliest = IntStream.range(0, row.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> -row[i]))
                    .limit(request.topLogprobs())
                    .mapToInt(Integer::intValue)
                    .toArray();
            assertThat(each.topTokens()).hasSameSizeAs(likeliest).doesNotHaveDuplicates();
            for (int i = 0; i < likeliest.length; i++) {
                assertThat(row[each.topTokens()[i]]).isEqualTo(row[likeliest[i]]);
                assertThat(each.topLogprobs()[i])
                        .isCloseTo(Math.log(Math.exp(row[likeliest[i]]) / sum), within(ROUNDING));
            }
        }
    }
}
