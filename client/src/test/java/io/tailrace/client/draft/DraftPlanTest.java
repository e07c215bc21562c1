package io.tailrace.client.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SourceKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of a step cannot be got wrong. */
class DraftPlanTest {
    private static final StepOutcomes NOTHING_SAID = new StepOutcomes() {
        @Override
        public int[] tokens(int place) {
            return new int[0];
        }

        @Override
        public int count(int place) {
            return 0;
        }
    };

    private final Lines source = new Lines();
    private final DraftPlan plan = new DraftPlan(source);

    /** Drafts as many tokens as it may, and one more if it is greedy. */
    private static final class Lines implements DraftSource {
        private final List<String> calls = new ArrayList<>();
        private boolean greedy;
        private boolean forgetful;

        @Override
        public String strategy() {
            return "lines";
        }

        @Override
        public RequestDrafts begin(String scope, int[] prompt) {
            return new NoDrafts().begin(scope, prompt);
        }

        @Override
        public void draft(Step step) {
            calls.add("draft " + step.size());
            for (int place = forgetful ? 1 : 0; place < step.size(); place++) {
                DraftTree line = new DraftTree();
                for (int node = 0; node < step.budget(place) + (greedy ? 1 : 0); node++) {
                    line.add(10 * place + node, node - 1, 0.5f, SourceKind.OWN.index(), 1);
                }
                step.put(place, line, 100 + place);
            }
        }

        @Override
        public void verified(Step step, StepOutcomes outcomes) {
            calls.add("verified " + step.size() + ", drafted " + step.draft(0).size());
        }

        @Override
        public void close() {}
    }

    private RequestDrafts request() {
        return source.begin("s", new int[] {1});
    }

    @Test
    void aStepIsOneCallForTheBatchAndOneForItsEnd() {
        for (int size = 1; size < 40; size++) {
            source.calls.clear();
            for (int place = 0; place < size; place++) {
                assertThat(plan.add(request(), place % 5, 0.25f)).isEqualTo(place);
            }
            DraftedStep step = plan.draft();
            assertThat(step.size()).isEqualTo(size);
            for (int place = 0; place < size; place++) {
                assertThat(step.draft(place).size()).isEqualTo(place % 5);
                assertThat(step.nanos(place)).isEqualTo(100 + place);
            }
            step.verified(NOTHING_SAID);
            assertThat(source.calls).containsExactly("draft " + size, "verified " + size + ", drafted 0");
        }
    }

    @Test
    void noStepIsPlannedOrDraftedBeforeTheOneBeforeWasVerified() {
        plan.add(request(), 4, 0);
        DraftedStep step = plan.draft();
        assertThatThrownBy(() -> plan.add(request(), 4, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("DraftedStep.verified");
        assertThatThrownBy(plan::draft).isInstanceOf(IllegalStateException.class);
        step.verified(NOTHING_SAID);
        assertThat(plan.add(request(), 4, 0)).isZero();
    }

    @Test
    void aStepIsVerifiedOnce() {
        plan.add(request(), 4, 0);
        DraftedStep step = plan.draft();
        step.verified(NOTHING_SAID);
        assertThatThrownBy(() -> step.verified(NOTHING_SAID)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> step.draft(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aSourceThatCannotLearnLaterLearnsAtOnce() {
        plan.add(request(), 4, 0);
        plan.draft().emitted(NOTHING_SAID);
        plan.learn();
        assertThat(source.calls).containsExactly("draft 1", "verified 1, drafted 4");
        assertThat(plan.add(request(), 4, 0)).isZero();
    }

    @Test
    void aDraftBeyondItsBudgetIsABug() {
        source.greedy = true;
        plan.add(request(), 4, 0);
        assertThatThrownBy(plan::draft)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a draft of 5 tokens breaks its budget of 4");
    }

    @Test
    void aForgottenRequestIsABug() {
        source.forgetful = true;
        plan.add(request(), 4, 0);
        plan.add(request(), 4, 0);
        assertThatThrownBy(plan::draft)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lines put no draft at place 0 of 2");
    }

    @Test
    void aRequestOfAnotherSourceIsRefused() {
        DraftPlan lanes = new DraftPlan(new LaneDrafts("adaptive", scope -> null, null));
        lanes.add(request(), 4, 0);
        assertThatThrownBy(lanes::draft).isInstanceOf(ClassCastException.class);
    }
}
