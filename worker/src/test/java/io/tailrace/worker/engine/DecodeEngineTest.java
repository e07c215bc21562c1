package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.worker.draftmodel.ModelDrafts;
import io.tailrace.worker.engine.RefusedRequestException.Reason;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LetterTokenizer;
import io.tailrace.worker.sampling.SamplingParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodeEngineTest {
    private static final int END = LetterTokenizer.END;

    @ParameterizedTest
    @CsvSource({
        "1, true, false",
        "1, false, false",
        "8, true, false",
        "8, false, false",
        "8, false, true",
        "1, false, true"
    })
    void outputWithDraftsIsThatOfPlainDecodingTokenForToken(int batchMax, boolean linear, boolean measured)
            throws InterruptedException {
        for (long seed = 0; seed < 40; seed++) {
            HashModel model = HashModel.of(seed);
            SplittableRandom random = new SplittableRandom(seed);
            EngineOptions options = EngineOptions.defaults()
                    .withBatchMax(batchMax)
                    .withBudgetMax(random.nextInt(1, 20))
                    .withPrefillTokensMax(random.nextInt(1, 40));
            BudgetChoice budget = measured ? BudgetChoice.measured() : BudgetChoice.fixed();
            try (DecodeEngine engine =
                    DecodeEngine.start("test", parts(model, new RandomDrafts(model, seed, linear), budget), options)) {
                List<DecodeRequest> requests = new ArrayList<>();
                List<HeldAnswer> answers = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    requests.add(request(random, i, model.vocabularySize()));
                    answers.add(new HeldAnswer());
                    engine.submit(requests.get(i), answers.get(i));
                }
                for (int i = 0; i < requests.size(); i++) {
                    int[] expected = Plain.decode(
                            model, requests.get(i), END, requests.get(i).tokensMax());
                    Answer answer = answers.get(i).await();
                    assertThat(answer.decoded().output())
                            .as(
                                    "seed %d, request %d, %s",
                                    seed, i, requests.get(i).sampling())
                            .isEqualTo(expected);
                    assertThat(answer.reason())
                            .isEqualTo(
                                    expected[expected.length - 1] == END
                                            ? Answer.FinishReason.STOP
                                            : Answer.FinishReason.LENGTH);
                }
            }
            assertThat(model.openSequences()).isZero();
            assertThat(model.batches()).allMatch(batch -> batch <= batchMax);
        }
    }

    /** It is told of all that was emitted since its last draft before it drafts again. */
    @Test
    void aDrafterKnowsTheWholeContextWhenItDrafts() throws InterruptedException {
        HashModel model = HashModel.of(7);
        ContextKeeper drafts = new ContextKeeper();
        try (DecodeEngine engine =
                DecodeEngine.start("test", parts(model, drafts, new EveryThirdStep()), EngineOptions.defaults())) {
            DecodeRequest request = DecodeRequest.greedy("a", "s", new int[] {3, 4}, 100);
            HeldAnswer held = new HeldAnswer();
            engine.submit(request, held);
            int[] output = held.await().decoded().output();
            assertThat(drafts.contexts()).hasSizeGreaterThan(output.length / 6);
            for (int[] context : drafts.contexts()) {
                assertThat(context).startsWith(request.prompt());
                assertThat(Arrays.copyOf(output, context.length - 2))
                        .isEqualTo(Arrays.copyOfRange(context, 2, context.length));
            }
            assertThat(drafts.contexts().stream().mapToInt(context -> context.length))
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void draftsThatAreRightSaveSteps() throws InterruptedException {
        HashModel model = HashModel.of(5);
        try (DecodeEngine engine = start(model, new RandomDrafts(model, 1, false), EngineOptions.defaults())) {
            HeldAnswer held = new HeldAnswer();
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {3, 4}, 100), held);
            Answer answer = held.await();
            assertThat(answer.decoded().tally().accepted()).isPositive();
            assertThat(answer.decoded().tally().steps())
                    .isEqualTo(answer.decoded().output().length
                            - answer.decoded().tally().accepted());
        }
    }

    @Test
    void aRequestWithoutDraftsTakesOneStepAToken() throws InterruptedException {
        HashModel model = HashModel.of(5);
        try (DecodeEngine engine = start(model, new RandomDrafts(model, 1, false), EngineOptions.defaults())) {
            HeldAnswer held = new HeldAnswer();
            engine.submit(
                    new DecodeRequest(
                            "a", "s", new int[] {3, 4}, 50, SamplingParameters.GREEDY, List.of(), false, true),
                    held);
            Answer answer = held.await();
            assertThat(answer.decoded().tally().steps())
                    .isEqualTo(answer.decoded().output().length);
            assertThat(answer.decoded().tally().drafted()).isZero();
        }
    }

    @Test
    void requestsJoinBetweenStepsAndAreDecodedTogether() throws InterruptedException {
        HashModel model = endless(1);
        try (DecodeEngine engine = start(model, new NoDrafts(), EngineOptions.defaults())) {
            CountDownLatch running = new CountDownLatch(3);
            CountDownLatch submitted = new CountDownLatch(1);
            HeldAnswer first = new HeldAnswer(() -> holdOnceThere(running, submitted));
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {1}, 400), first);
            running.await();
            HeldAnswer second = new HeldAnswer();
            engine.submit(DecodeRequest.greedy("b", "s", new int[] {2}, 5), second);
            submitted.countDown();
            second.await();
            first.await();
        }
        assertThat(model.batches()).startsWith(1, 1, 1).contains(2);
    }

    @Test
    void aCancelledRequestLeavesAndGivesItsPlaceToTheNext() throws InterruptedException {
        HashModel model = endless(1);
        try (DecodeEngine engine =
                start(model, new NoDrafts(), EngineOptions.defaults().withBatchMax(1))) {
            CountDownLatch running = new CountDownLatch(3);
            CountDownLatch cancelled = new CountDownLatch(1);
            HeldAnswer first = new HeldAnswer(() -> holdOnceThere(running, cancelled));
            DecodeRequest.Ticket ticket = engine.submit(DecodeRequest.greedy("a", "s", new int[] {1}, 500), first);
            running.await();
            HeldAnswer second = new HeldAnswer();
            HeldAnswer third = new HeldAnswer();
            DecodeRequest.Ticket waiting = engine.submit(DecodeRequest.greedy("b", "s", new int[] {2}, 5), second);
            engine.submit(DecodeRequest.greedy("c", "s", new int[] {2}, 5), third);
            waiting.cancel();
            ticket.cancel();
            cancelled.countDown();
            assertThat(first.await().reason()).isEqualTo(Answer.FinishReason.CANCELLED);
            assertThat(second.await().reason()).isEqualTo(Answer.FinishReason.CANCELLED);
            assertThat(third.await().reason()).isEqualTo(Answer.FinishReason.LENGTH);
        }
        assertThat(model.openSequences()).isZero();
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheLimit() {
        HashModel model = endless(1);
        EngineOptions options =
                EngineOptions.defaults().withBatchMax(1).withQueuedMax(1).withLengths(20, 0);
        CountDownLatch refused = new CountDownLatch(1);
        try (DecodeEngine engine = start(model, new NoDrafts(), options)) {
            assertThatThrownBy(() -> engine.submit(DecodeRequest.greedy("a", "s", new int[21], 5), new HeldAnswer()))
                    .isInstanceOfSatisfying(
                            RefusedRequestException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LONG))
                    .hasMessageContaining("21")
                    .hasMessageContaining("20");
            HeldAnswer first = new HeldAnswer(() -> HeldAnswer.awaitQuietly(refused));
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {1}, 400), first);
            engine.submit(DecodeRequest.greedy("b", "s", new int[] {1}, 400), new HeldAnswer());
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 3; i++) {
                            engine.submit(DecodeRequest.greedy("c", "s", new int[] {1}, 400), new HeldAnswer());
                        }
                    })
                    .isInstanceOfSatisfying(
                            RefusedRequestException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.QUEUE_FULL));
            engine.stop();
            assertThatThrownBy(() -> engine.submit(DecodeRequest.greedy("d", "s", new int[] {1}, 4), new HeldAnswer()))
                    .isInstanceOfSatisfying(
                            RefusedRequestException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.STOPPING));
            refused.countDown();
        }
    }

    /** The cache holds two requests' worst case, not three; none of the ten ever runs out of it. */
    @Test
    void noRequestJoinsThatTheCacheMightNotHold() throws InterruptedException {
        HashModel model = new HashModel(3, 24, 2, 3, 512, 150);
        try (DecodeEngine engine = start(model, new RandomDrafts(model, 1, false), EngineOptions.defaults())) {
            CountDownLatch submitted = new CountDownLatch(1);
            List<HeldAnswer> answers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                answers.add(new HeldAnswer(() -> HeldAnswer.awaitQuietly(submitted)));
                engine.submit(DecodeRequest.greedy("a" + i, "s", new int[] {1 + i, 2, 3}, 40), answers.get(i));
            }
            submitted.countDown();
            for (HeldAnswer answer : answers) {
                answer.await();
            }
        }
        assertThat(model.batches()).allMatch(batch -> batch <= 2).contains(2);
    }

    @Test
    void anAnswerMayFillACacheThatIsSmallerThanTheContext() throws InterruptedException {
        HashModel model = neverEnding(3, 512, 60);
        try (DecodeEngine engine = start(model, new RandomDrafts(model, 1, true), EngineOptions.defaults())) {
            for (int i = 0; i < 20; i++) {
                HeldAnswer held = new HeldAnswer();
                engine.submit(DecodeRequest.greedy("a" + i, "s", new int[] {1 + i, 2, 3}, 1_000), held);
                Answer answer = held.await();
                assertThat(answer.reason()).isEqualTo(Answer.FinishReason.LENGTH);
                assertThat(answer.decoded().output()).hasSize(57);
            }
        }
    }

    /** Whatever cache, context, lengths and drafts: each is answered as if it were alone and had room. */
    @Test
    void noBatchEverAsksTheCacheForMoreThanItHas() throws InterruptedException {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            HashModel model = neverEnding(seed, random.nextInt(16, 200), random.nextInt(16, 200));
            EngineOptions options = EngineOptions.defaults()
                    .withBatchMax(random.nextInt(1, 7))
                    .withBudgetMax(random.nextInt(0, 40))
                    .withPrefillTokensMax(random.nextInt(1, 40));
            try (DecodeEngine engine = start(model, randomSource(model, random), options)) {
                List<DecodeRequest> requests = new ArrayList<>();
                List<HeldAnswer> answers = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    int promptTokens = random.nextInt(1, model.sequenceTokensMax());
                    int[] prompt =
                            random.ints(promptTokens, 1, model.vocabularySize()).toArray();
                    requests.add(DecodeRequest.greedy("r" + i, "s", prompt, 1 + random.nextInt(300)));
                    answers.add(new HeldAnswer());
                    engine.submit(requests.get(i), answers.get(i));
                }
                for (int i = 0; i < requests.size(); i++) {
                    int room = model.sequenceTokensMax() - requests.get(i).prompt().length;
                    int[] expected = Plain.decode(
                            model,
                            requests.get(i),
                            END,
                            Math.min(room, requests.get(i).tokensMax()));
                    Answer answer = answers.get(i).await();
                    assertThat(answer).as("seed %d: %s", seed, engine.failure()).isNotNull();
                    assertThat(answer.decoded().output())
                            .as("seed %d, request %d", seed, i)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static DraftSource randomSource(HashModel model, SplittableRandom random) {
        if (random.nextInt(3) > 0) {
            return new RandomDrafts(model, random.nextLong(), random.nextBoolean());
        }
        ModelDrafts.Options drafting = new ModelDrafts.Options(random.nextInt(1, 9), random.nextInt(8));
        return new ModelDrafts(
                "draft-model",
                model.firstLayers(random.nextInt(1, 3), model.cacheTokensMax()),
                model.vocabularySize(),
                drafting);
    }

    /** Each has a fourth of the cache to answer in; with prompts and drafts three fit at once. */
    @Test
    void requestsThatAskForNoLengthAreAnsweredTogether() throws InterruptedException {
        HashModel model = neverEnding(3, 512, 512);
        EngineOptions options = EngineOptions.defaults().withBatchMax(4);
        CountDownLatch submitted = new CountDownLatch(1);
        try (DecodeEngine engine = start(model, new NoDrafts(), options)) {
            List<HeldAnswer> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                answers.add(new HeldAnswer(() -> HeldAnswer.awaitQuietly(submitted)));
                engine.submit(
                        DecodeRequest.greedy("a" + i, "s", new int[] {1 + i, 2, 3}, DecodeRequest.TOKENS_UNASKED),
                        answers.get(i));
            }
            submitted.countDown();
            for (HeldAnswer answer : answers) {
                assertThat(answer.await().decoded().output()).hasSize(128);
                assertThat(answer.await().reason()).isEqualTo(Answer.FinishReason.LENGTH);
            }
        }
        assertThat(model.batches()).contains(3).doesNotContain(4);
    }

    @Test
    void stoppingLetsEveryTakenRequestEndInOrder() throws InterruptedException {
        HashModel model = endless(1);
        try (DecodeEngine engine =
                start(model, new NoDrafts(), EngineOptions.defaults().withBatchMax(2))) {
            List<HeldAnswer> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                answers.add(new HeldAnswer());
                engine.submit(DecodeRequest.greedy("a" + i, "s", new int[] {1}, 30), answers.get(i));
            }
            engine.stop();
            assertThat(engine.awaitEnd(Duration.ofSeconds(60))).isTrue();
            for (HeldAnswer answer : answers) {
                assertThat(answer.await().reason()).isEqualTo(Answer.FinishReason.LENGTH);
            }
        }
    }

    @Test
    void anAnswerEndsWithItsStopTextWhateverWasDraftedBehindIt() throws InterruptedException {
        for (long seed = 0; seed < 50; seed++) {
            HashModel model = new HashModel(seed, LetterTokenizer.VOCABULARY, 2, 3, 512, 4_096);
            DecodeRequest open = DecodeRequest.greedy("a", "s", new int[] {5, 6}, 60);
            int[] all = Plain.decode(model, open, END, 60);
            if (all.length < 10) {
                continue;
            }
            String stop = new LetterTokenizer().decode(new int[] {all[6], all[7]});
            DecodeRequest stopped =
                    new DecodeRequest("b", "s", open.prompt(), 60, open.sampling(), List.of(stop), true, true);
            try (DecodeEngine engine = start(model, new RandomDrafts(model, seed, false), EngineOptions.defaults())) {
                HeldAnswer held = new HeldAnswer();
                engine.submit(stopped, held);
                Answer answer = held.await();
                String text = new LetterTokenizer().decode(answer.decoded().output());
                assertThat(text).endsWith(stop);
                assertThat(text.indexOf(stop)).isEqualTo(text.length() - stop.length());
                assertThat(answer.reason()).isEqualTo(Answer.FinishReason.STOP);
            }
        }
    }

    @Test
    void aBrokenModelFailsEveryRequestAndSaysWhy() throws InterruptedException {
        HashModel model = endless(1);
        model.breakWith(new IllegalStateException("out of order"));
        try (DecodeEngine engine = start(model, new NoDrafts(), EngineOptions.defaults())) {
            HeldAnswer held = new HeldAnswer();
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {1}, 30), held);
            assertThat(held.awaitFailure()).hasMessage("out of order");
            assertThat(engine.awaitEnd(Duration.ofSeconds(60))).isTrue();
            assertThat(engine.failure()).hasMessage("out of order");
            assertThatThrownBy(() -> engine.submit(DecodeRequest.greedy("b", "s", new int[] {1}, 3), new HeldAnswer()))
                    .isInstanceOf(RefusedRequestException.class);
        }
    }

    /** Requests that are out of the queue and not in the batch yet hear of it, too. */
    @Test
    void whereOneCannotBeginAllAreToldAndTheLoopEnds() throws InterruptedException {
        NoDrafts none = new NoDrafts();
        DraftSource fragile = new DraftSource() {
            @Override
            public String strategy() {
                return "fragile";
            }

            @Override
            public RequestDrafts begin(String scope, int[] prompt) {
                if (prompt[0] == 7) {
                    throw new IllegalStateException("seven");
                }
                return none.begin(scope, prompt);
            }

            @Override
            public void draft(Step step) {
                none.draft(step);
            }

            @Override
            public void verified(Step step, StepOutcomes outcomes) {
                none.verified(step, outcomes);
            }

            @Override
            public void close() {
                throw new IllegalStateException("and it does not close");
            }
        };
        List<HeldAnswer> answers = new ArrayList<>();
        try (DecodeEngine engine = start(endless(1), fragile, EngineOptions.defaults())) {
            CountDownLatch submitted = new CountDownLatch(1);
            HeldAnswer first = new HeldAnswer(() -> HeldAnswer.awaitQuietly(submitted));
            engine.submit(DecodeRequest.greedy("first", "s", new int[] {1}, 400), first);
            for (int token = 6; token <= 9; token++) {
                answers.add(new HeldAnswer());
                engine.submit(
                        DecodeRequest.greedy("r" + token, "s", new int[] {token}, 400),
                        answers.get(answers.size() - 1));
            }
            submitted.countDown();
            answers.add(first);
            for (HeldAnswer answer : answers) {
                assertThat(answer.awaitFailure()).hasMessage("seven");
            }
            assertThat(engine.awaitEnd(Duration.ofSeconds(60))).isTrue();
        }
    }

    /** The decode thread, in the answer's own callback, stays where the count has come to zero. */
    private static void holdOnceThere(CountDownLatch count, CountDownLatch until) {
        count.countDown();
        if (count.getCount() == 0) {
            HeldAnswer.awaitQuietly(until);
        }
    }

    private static DecodeRequest request(SplittableRandom random, int number, int vocabularySize) {
        int[] prompt = random.ints(1 + random.nextInt(90), 1, vocabularySize).toArray();
        SamplingParameters sampling = random.nextBoolean()
                ? SamplingParameters.GREEDY
                : new SamplingParameters(
                        (float) random.nextDouble(0.1, 1.5),
                        random.nextBoolean() ? 0 : 5,
                        random.nextBoolean() ? 1 : 0.9f,
                        random.nextLong());
        return new DecodeRequest("r" + number, "s", prompt, 1 + random.nextInt(80), sampling, List.of(), true, true);
    }

    /** A model that hardly ever ends an answer by itself. */
    private static HashModel endless(long seed) {
        return new HashModel(seed, 1_000, 2, 3, 512, 8_192);
    }

    /** A model whose answers end where their room does. */
    private static HashModel neverEnding(long seed, int contextTokensMax, int cacheTokensMax) {
        return new HashModel(seed, 24, 2, 3, contextTokensMax, cacheTokensMax) {
            @Override
            public float[] logits(int[] context, int length) {
                float[] logits = super.logits(context, length);
                logits[END] = -100;
                return logits;
            }
        };
    }

    private static DecodeEngine start(HashModel model, DraftSource drafts, EngineOptions options) {
        return DecodeEngine.start("test", parts(model, drafts, BudgetChoice.fixed()), options);
    }

    private static EngineParts parts(HashModel model, DraftSource drafts, BudgetChoice budget) {
        return new EngineParts(
                model, new LetterTokenizer(), new int[] {END}, drafts, budget, EngineParts.Listener.NONE);
    }
}
