package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LetterTokenizer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A lane's policy is switched off and on under running requests. */
class DraftTermsTest {
    private final HashModel model = new HashModel(1, 1_000, 2, 3, 512, 8_192);
    private final AtomicInteger allowed = new AtomicInteger();
    private final Watched budget = new Watched();

    /** As much as is allowed; counts what it is asked and told. */
    private static final class Watched implements BudgetChoice, RequestBudget {
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private volatile CostCurve announced;

        @Override
        public RequestBudget begin(CostCurve curve) {
            announced = curve;
            return this;
        }

        @Override
        public int draftTokens(int batch, int tokensMax) {
            asked.incrementAndGet();
            most.accumulateAndGet(tokensMax, Math::max);
            return tokensMax;
        }

        @Override
        public float probabilityMin() {
            return 0;
        }

        @Override
        public void learn(Draft draft, int nodes, Verdict verdict, long draftNanos) {
            asked.incrementAndGet();
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

    private DecodeEngine start(DraftSource drafts, CostCurve curve) {
        DraftTerms terms = new DraftTerms() {
            @Override
            public int draftTokensMax() {
                return allowed.get();
            }

            @Override
            public CostCurve costCurve() {
                return curve;
            }
        };
        return DecodeEngine.start(
                "test",
                new EngineParts(
                        model,
                        new LetterTokenizer(),
                        new int[0],
                        EngineDrafts.of(drafts),
                        scope -> terms,
                        budget,
                        EngineParts.Listener.NONE),
                EngineOptions.defaults());
    }

    @Test
    void aLaneThatIsOffAsksNobodyForADraftAndTellsNoBudgetWhatCame() throws InterruptedException {
        ContextKeeper drafts = new ContextKeeper();
        CostCurve curve = CostCurve.of(List.of(new CostCurve.Point(1, 1, 7)));
        try (DecodeEngine engine = start(drafts, curve)) {
            HeldAnswer held = new HeldAnswer();
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {3, 4}, 100), held);
            assertThat(held.await().decoded().output()).hasSize(100);
        }
        assertThat(drafts.contexts()).isEmpty();
        assertThat(budget.asked).hasValue(0);
        assertThat(budget.announced).isSameAs(curve);
    }

    @Test
    void switchedOnUnderARunningRequestItDraftsAndKnowsTheWholeContext() throws InterruptedException {
        ContextKeeper drafts = new ContextKeeper();
        AtomicInteger tokens = new AtomicInteger();
        try (DecodeEngine engine = start(drafts, CostCurve.UNKNOWN)) {
            HeldAnswer held = new HeldAnswer(() -> {
                int count = tokens.incrementAndGet();
                allowed.set(count < 40 || count >= 60 ? 0 : 5);
            });
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {3, 4}, 100), held);
            int[] output = held.await().decoded().output();
            assertThat(drafts.contexts()).hasSize(20);
            assertThat(drafts.contexts().get(0)).hasSize(42);
            for (int[] context : drafts.contexts()) {
                assertThat(Arrays.copyOfRange(context, 2, context.length))
                        .isEqualTo(Arrays.copyOf(output, context.length - 2));
            }
        }
        assertThat(budget.most).hasValue(5);
    }
}
