package io.tailrace.agent.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.agent.protocol.StepWriter;
import io.tailrace.client.ClientOptions;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.draft.Draft;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a step took and gave is told to the budget before the next step is planned. */
class BudgetTurnsTest {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 1_000, "sha256:0");
    private static final Hello HELLO = new Hello(1_000, 4, 16, false, "engine", "llama", "1", "sha256:0");
    /** In DRAFTS, the number of tokens of its only draft: behind the header, what is reported, flags, the number of drafts and the request. */
    private static final int TOKENS_AT = 16 + 8 + 4 + 4 + 4;

    private static final int FLAGS_AT = 16 + 8;
    private static final int PERIOD = 5;
    private static final int STEPS = 1_500;

    @TempDir
    private Path folder;

    private final StepWriter step = new StepWriter();
    private final FrameWriter reply = new FrameWriter();
    /** What the request says: a cycle, so that its drafts are right. */
    private final int[] says = new int[40 * STEPS];

    private int said = 4 * PERIOD;
    private int handed;
    private int stepsWithDrafts;
    private int unused;
    private int flags;
    /** One reply in so many comes late; 0: none. */
    private int late;
    /** Steps without asking after each that asked. */
    private int unasked;

    private final Map<DraftAnswer, Integer> answers = new EnumMap<>(DraftAnswer.class);

    @Test
    void aStepIsMeasuredAndLearnedFromBeforeTheNextIsPlanned() throws Exception {
        Turns turns = new Turns();
        serve(turns);
        assertThat(turns.wrong).isEmpty();
        assertThat(turns.measured).isEqualTo(STEPS - 1);
        assertThat(turns.learned).isEqualTo(STEPS - 1);
        assertThat(answers)
                .containsOnly(entry(DraftAnswer.UNPAID, STEPS / 3), entry(DraftAnswer.DRAFTED, STEPS - STEPS / 3));
    }

    /** Now and then a step goes without drafts, so that its time is known. The request drafts on after it. */
    @Test
    void aRequestWhoseDraftsAreRightDraftsOnAfterPlainSteps() throws Exception {
        serve(BudgetChoice.measured());
        assertThat(stepsWithDrafts).isBetween(STEPS * 9 / 10, STEPS - 3).isEqualTo(answers.get(DraftAnswer.DRAFTED));
        assertThat(answers.get(DraftAnswer.SKIPPED)).isPositive();
        assertThat(answers.values().stream().mapToInt(count -> count).sum()).isEqualTo(STEPS);
    }

    /** What comes late is handed out, and nothing of it is verified. */
    @Test
    void draftsOfWhichNothingIsVerifiedAreCounted() throws Exception {
        late = 3;
        serve(BudgetChoice.fixed());
        assertThat(answers.get(DraftAnswer.DRAFTED)).isGreaterThan(STEPS - 3);
        assertThat(unused).isBetween(STEPS / 3 - 2, STEPS / 3);
    }

    /** A door that holds back does not ask: the budget hears of such a step as of one that it did not plan. */
    @Test
    void stepsForWhichNobodyAskedAreNotTakenForTheOneThatWasPlanned() throws Exception {
        Turns turns = new Turns();
        unasked = 2;
        serve(turns);
        assertThat(turns.wrong).isEmpty();
        assertThat(turns.measured).isEqualTo(STEPS);
        assertThat(turns.learned).isEqualTo(STEPS);
        assertThat(turns.unasked).isEqualTo(2 * (STEPS - 1) - 1);
        assertThat(turns.passed).isEqualTo(2 * (STEPS - 1));
    }

    /** Each request pauses for as long as the test says; the shortest pause goes to the door. */
    @Test
    void theReplySaysForHowLongAllRequestsPause() throws Exception {
        for (int[] pauses : new int[][] {{0, 7}, {7, 0}, {9, 7}, {7, 9}, {1_000, 300}}) {
            ClientOptions options =
                    ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
            try (TailraceClient client = TailraceClient.open(options);
                    EngineSteps steps = new EngineSteps(client, HELLO, "public", new Pauses(pauses), new Answers())) {
                StepWriter told = new StepWriter();
                int[] prompt = {1, 2, 3};
                take(steps, told.next(0, 0, 0, 16).begin(1, "a", "public", prompt));
                assertThat(flags).isZero();
                take(steps, told.next(0, 1, 1, 16).extend(1, 0, prompt, 0, 1).begin(2, "b", "public", prompt));
                assertThat(flags).as("nobody asks").isZero();
                take(steps, told.next(0, 2, 2, 16).extend(1, 0, prompt, 0, 1).draft(1, 16));
                assertThat(flags >>> 8)
                        .as(Arrays.toString(pauses))
                        .isEqualTo(Math.min(255, Math.min(pauses[0], pauses[1])));
            }
        }
    }

    /** A request that goes on without a draft costs a row of the step, too. */
    @Test
    void theStepThatIsPlannedHasAllRequestsThatGoOn() throws Exception {
        Turns turns = new Turns();
        ClientOptions options =
                ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps = new EngineSteps(client, HELLO, "public", turns, new Answers())) {
            int[] prompt = {1, 2, 3, 1, 2, 3};
            step.next(0, 0, 0, 16);
            for (int request = 1; request <= 4; request++) {
                step.begin(request, "r" + request, "public", prompt);
            }
            take(steps, step);
            step.next(0, 3, 3, 16).extend(1, 0, prompt, 0, 1).extend(2, 0, prompt, 0, 1);
            take(steps, step.extend(3, 0, prompt, 0, 1).draft(2, 16));
        }
        assertThat(turns.sizes).hasSize(3);
        assertThat(turns.batch).isEqualTo(3);
        assertThat(turns.sizes.get(0)).isPositive();
        assertThat(turns.sizes.subList(1, 3)).containsOnly(0);
        assertThat(handed).isEqualTo(3);
    }

    /** Gives each request that begins the next pause, and drafts nothing. */
    private static final class Pauses implements BudgetChoice {
        private final int[] pauses;
        private int begun;

        Pauses(int[] pauses) {
            this.pauses = pauses;
        }

        @Override
        public RequestBudget begin(CostCurve announced) {
            Turns request = new Turns();
            request.pause = pauses[begun++];
            request.drafts = false;
            return request;
        }

        @Override
        public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes) {
            // There are none.
        }

        @Override
        public void measured(int batch, int tokens, long nanos) {
            // No step is.
        }
    }

    private void serve(BudgetChoice budgets) throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < says.length; i++) {
            says[i] = i % PERIOD;
        }
        ClientOptions options =
                ClientOptions.alone("agent", MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")));
        try (TailraceClient client = TailraceClient.open(options);
                EngineSteps steps = new EngineSteps(client, HELLO, "public", budgets, new Answers())) {
            step.next(0, 0, 0, 16).begin(1, "a", "public", Arrays.copyOf(says, said));
            take(steps, step.draft(1, 16));
            for (int i = 1; i < STEPS; i++) {
                long nanos = Math.round((10e6 + 2e5 * handed) * (1 + 0.02 * random.nextGaussian()));
                int count = handed + 1;
                step.next(nanos, 1, count, 16).extend(1, handed, says, said, said + count);
                said += count;
                take(steps, step.draft(1, 16));
                handed = late > 0 && i % late == 0 ? 0 : handed;
                for (int plain = 0; plain < unasked; plain++) {
                    step.next(10_000_000, 1, 1 + handed, 16).extend(1, handed, says, said, said + 1 + handed);
                    said += 1 + handed;
                    take(steps, step);
                }
            }
            take(steps, step.next(0, 0, 0, 0).end(1, EndReason.STOP, 1_000));
        }
    }

    private void take(EngineSteps steps, StepWriter told) throws RefusedEngineException {
        steps.step(StepFrame.read(told.asRead()), 0, reply);
        steps.afterReply();
        ByteBuffer drafts = reply.end().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        flags = drafts.getInt(FLAGS_AT);
        handed = drafts.limit() > TOKENS_AT ? drafts.getInt(TOKENS_AT) : 0;
        stepsWithDrafts += handed > 0 ? 1 : 0;
    }

    /** Verifies three nodes in two steps of three, and looks at who calls when. */
    private static final class Turns implements BudgetChoice, RequestBudget {
        private final List<String> wrong = new ArrayList<>();
        private int planned;
        private int measured;
        private int learned;
        private int nodesNow;
        private int unasked;
        private int passed;
        private int pause;
        private boolean drafts = true;
        /** Of the step that was planned last. */
        private int batch;

        private List<Integer> sizes = List.of();

        @Override
        public RequestBudget begin(CostCurve announced) {
            return this;
        }

        @Override
        public int draftTokens(int stepBatch, int most) {
            batch = stepBatch;
            check(measured == planned && learned == planned, "planned before the last step was learned from");
            return drafts ? most : 0;
        }

        @Override
        public float probabilityMin() {
            return 0;
        }

        @Override
        public void trim(List<? extends Draft> drafts, List<RequestBudget> requests, int most, int[] nodes) {
            planned++;
            sizes = drafts.stream().map(Draft::size).toList();
            nodesNow = planned % 3 == 0 ? 0 : Math.min(3, drafts.get(0).size());
            nodes[0] = nodesNow;
        }

        @Override
        public void measured(int batch, int tokens, long nanos) {
            measured++;
            check(measured == planned && tokens == 1 + nodesNow, "measured against another step's plan");
        }

        @Override
        public void measuredUnasked(int batch, int tokens, long nanos) {
            unasked++;
            check(measured == planned && tokens == 1, "another step taken for the planned one");
        }

        @Override
        public void pass() {
            passed++;
        }

        @Override
        public int pause() {
            return pause;
        }

        @Override
        public void learn(Draft draft, int nodes, Verdict verdict, long draftNanos) {
            learned++;
            check(learned == measured && nodes == nodesNow, "learned against another step's plan");
        }

        private void check(boolean holds, String what) {
            if (!holds) {
                wrong.add("step %d: %s".formatted(planned, what));
            }
        }
    }

    private final class Answers implements EngineSteps.Listener {
        @Override
        public void drafted(long nanos) {
            // Counted by the reply.
        }

        @Override
        public void came(DraftAnswer what) {
            answers.merge(what, 1, Integer::sum);
        }

        @Override
        public void unused() {
            unused++;
        }

        @Override
        public void ended(Hello engine, EngineSteps.Ended request, long sequence) {
            assertThat(request.reason()).isEqualTo(EndReason.STOP);
        }
    }
}
