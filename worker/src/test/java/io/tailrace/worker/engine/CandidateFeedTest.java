package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.worker.candidates.TargetCandidates;
import io.tailrace.worker.model.HashModel;
import io.tailrace.worker.model.LetterTokenizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which of the target's candidates a request's drafts are told. */
class CandidateFeedTest {
    private final HashModel model = new HashModel(1, 40, 5, 3, 512, 8_192);

    @Test
    void afterEveryVerifiedTokenAlsoRejectedOnesTheLikeliestAreTold() throws InterruptedException {
        Curious drafts = new Curious(3, false);
        Answer answer = answer(drafts, BudgetChoice.fixed());
        int steps = answer.decoded().tally().steps();
        assertThat(drafts.told)
                .hasSizeBetween(
                        steps - 1 + answer.decoded().tally().drafted(),
                        steps + answer.decoded().tally().drafted())
                .allMatch(row -> row.length == 3);
        assertThat(answer.decoded().tally().drafted()).isGreaterThan(steps / 2);
    }

    @Test
    void aRequestThatDraftsNothingInAStepIsSparedTheReading() throws InterruptedException {
        Curious drafts = new Curious(3, false);
        Answer answer = answer(drafts, new EveryThirdStep());
        assertThat(drafts.asked).isBetween(20, answer.decoded().tally().steps() / 2);
        assertThat(drafts.told).hasSize(drafts.asked);
    }

    @Test
    void butForTokensOfWhichNothingIsKnownYet() throws InterruptedException {
        Curious drafts = new Curious(3, true);
        Answer answer = answer(drafts, new EveryThirdStep());
        assertThat(drafts.known.size()).isGreaterThan(1);
        assertThat(drafts.told.size())
                .isBetween(drafts.asked + 1, drafts.asked + drafts.known.size())
                .isLessThan(answer.decoded().tally().steps());
    }

    @Test
    void neverMoreThanTheVocabularyHas() throws InterruptedException {
        Curious drafts = new Curious(64, false);
        answer(drafts, BudgetChoice.fixed());
        assertThat(drafts.told).isNotEmpty().allMatch(row -> row.length == 40);
    }

    @Test
    void aSourceThatWantsNoneIsToldNone() throws InterruptedException {
        Curious drafts = new Curious(0, true);
        answer(drafts, BudgetChoice.fixed());
        assertThat(drafts.told).isEmpty();
    }

    private Answer answer(DraftSource drafts, BudgetChoice budget) throws InterruptedException {
        try (DecodeEngine engine = DecodeEngine.start(
                "test",
                new EngineParts(model, new LetterTokenizer(), new int[0], drafts, budget, EngineParts.Listener.NONE),
                EngineOptions.defaults())) {
            HeldAnswer held = new HeldAnswer();
            engine.submit(DecodeRequest.greedy("a", "s", new int[] {3, 4}, 100), held);
            return held.await();
        }
    }

    /** Drafts one token, mostly a wrong one, and keeps what it is told. */
    private static final class Curious implements DraftSource, RequestDrafts, TargetCandidates {
        private final DraftTree tree = new DraftTree();
        private final int wanted;
        private final boolean lacking;
        private final List<int[]> told = new ArrayList<>();
        private final Set<Integer> known = new HashSet<>();
        private int asked;

        Curious(int wanted, boolean lacking) {
            this.wanted = wanted;
            this.lacking = lacking;
        }

        @Override
        public String strategy() {
            return "curious";
        }

        @Override
        public int wanted() {
            return wanted;
        }

        @Override
        public RequestDrafts begin(String scope, int[] prompt) {
            return this;
        }

        @Override
        public void draft(Step step) {
            for (int place = 0; place < step.size(); place++) {
                tree.clear();
                if (step.budget(place) > 0) {
                    asked++;
                    tree.add(asked % 40, -1, 0.5f, SourceKind.OWN.index(), 1);
                }
                step.put(place, tree, 1_000);
            }
        }

        @Override
        public boolean lacks(int place, int token) {
            return lacking && !known.contains(token);
        }

        @Override
        public void told(int place, int token, int[] candidates) {
            known.add(token);
            told.add(candidates.clone());
        }

        @Override
        public void verified(Step step, StepOutcomes outcomes) {
            // It drafts whatever was said.
        }

        @Override
        public DraftLearning learned() {
            return DraftLearning.NONE;
        }

        @Override
        public long snapshotVersion() {
            return 0;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
