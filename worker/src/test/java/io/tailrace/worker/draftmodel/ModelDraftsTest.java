package io.tailrace.worker.draftmodel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.HashModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ModelDraftsTest {
    private static final long SEED = 17;
    private static final int TOKENS = 4;

    private HashModel model;
    private DraftPlan plan;
    private DraftedStep step;
    private final Random random = new Random(SEED);
    private long drafted;

    @Test
    void linesOfAStepGrowInCommonPasses() {
        try (ModelDrafts drafts = drafts(0)) {
            List<Conversation> requests = List.of(begin(drafts, 3), begin(drafts, 9), begin(drafts, 300));
            draft(requests, TOKENS);
            assertThat(model.batches()).containsExactly(3, 3, 3, 3, 1);
            requests.forEach(request -> request.requireGreedy(TOKENS));
        }
    }

    @Test
    void aLineIsWhatTheModelWouldSayWhateverTheTargetSaid() {
        for (int round = 0; round < 300; round++) {
            converse(0, 12);
        }
        assertThat(drafted).as("nine lines in ten are planned").isGreaterThan(300 * 12 * TOKENS * 8 / 10);
    }

    @Test
    void aPreparedLineIsWhatTheModelWouldSayToo() {
        for (int round = 0; round < 300; round++) {
            converse(1 + random.nextInt(12), 12);
        }
        assertThat(drafted).as("a miss of a request alone is drafted for").isGreaterThan(300 * TOKENS);
    }

    @Test
    void anEndingThatWasPreparedForNeedsNoPass() {
        try (ModelDrafts drafts = drafts(12)) {
            Conversation request = begin(drafts, 10);
            int foreseen = 0;
            for (int step = 0; step < 40; step++) {
                long hits = drafts.foreseen();
                int passes = model.batches().size();
                draft(List.of(request), TOKENS);
                boolean hit = step > 0 && foreseen < hits;
                foreseen = (int) hits;
                assertThat(model.batches().size() - passes).isEqualTo(hit ? 0 : TOKENS);
                verify(drafts, List.of(request), true);
            }
            assertThat(drafts.foreseen()).as("seed %d", SEED).isPositive();
        }
    }

    @Test
    void aTokenThatTheModelDoesNotKnowEndsItsDrafts() {
        try (ModelDrafts drafts = drafts(6)) {
            Conversation request = begin(drafts, 5);
            step(drafts, List.of(request));
            draft(List.of(request), 0);
            request.ending = new int[] {model.vocabularySize() + 3};
            say(List.of(request));
            draft(List.of(request), TOKENS);
            assertThat(request.nodes()).isZero();
        }
    }

    @Test
    void nearTheContextsEndLinesGetShorter() {
        try (ModelDrafts drafts = drafts(12)) {
            Conversation request = begin(drafts, model.contextTokensMax() - 2);
            draft(List.of(request), TOKENS);
            request.requireGreedy(2);
            drafts.verificationBegins(new int[] {2});
            drafts.verificationEnded();
            request.ending = new int[] {1, 2};
            say(List.of(request));
            draft(List.of(request), TOKENS);
            assertThat(request.nodes()).isZero();
        }
    }

    @Test
    void nearTheCachesEndLinesGetShorterToo() {
        model = new HashModel(SEED, 24, 2, 3, 512, 60);
        try (ModelDrafts drafts =
                new ModelDrafts("draft-model", model, model.vocabularySize(), new ModelDrafts.Options(TOKENS, 0))) {
            plan = new DraftPlan(drafts);
            Conversation request = begin(drafts, 58);
            draft(List.of(request), TOKENS);
            request.requireGreedy(2);
        }
    }

    /** As in a hybrid: what was prepared for one ending is nothing for the next, where another source drafted in between. */
    @Test
    void aLineThatWasPreparedIsForgottenWhereAnotherSourceDrafts() {
        for (int round = 0; round < 300; round++) {
            try (ModelDrafts drafts = drafts(1 + random.nextInt(12))) {
                Conversation request = begin(drafts, 1 + random.nextInt(20));
                for (int step = 0; step < 12; step++) {
                    if (random.nextInt(3) == 0) {
                        draft(List.of(request), 0);
                        drafts.verificationBegins(new int[] {random.nextInt(3)});
                        drafts.verificationEnded();
                        request.ending = random.ints(1 + random.nextInt(3), 0, model.vocabularySize())
                                .toArray();
                        say(List.of(request));
                    } else {
                        step(drafts, List.of(request));
                    }
                }
            }
        }
    }

    /** Several requests for some steps. */
    private void converse(int forks, int steps) {
        try (ModelDrafts drafts = drafts(forks)) {
            List<Conversation> requests = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                requests.add(begin(drafts, 1 + random.nextInt(20)));
            }
            for (int step = 0; step < steps; step++) {
                step(drafts, requests, forks == 0);
            }
            requests.forEach(request -> request.drafts.close());
            assertThat(model.openSequences()).isZero();
        }
    }

    private void step(ModelDrafts drafts, List<Conversation> requests) {
        step(drafts, requests, false);
    }

    /** With nothing prepared each line is as long as was planned; else it may be what is there. */
    private void step(ModelDrafts drafts, List<Conversation> requests, boolean whole) {
        for (Conversation request : requests) {
            request.planned = random.nextInt(10) == 0 ? 0 : TOKENS;
            request.place = plan.add(request.drafts, request.planned, 0);
        }
        step = plan.draft();
        for (Conversation request : requests) {
            int size = request.nodes();
            assertThat(size).isLessThanOrEqualTo(request.planned);
            request.requireGreedy(whole ? request.planned : size);
            drafted += size;
        }
        verify(drafts, requests, false);
    }

    private void draft(List<Conversation> requests, int budget) {
        requests.forEach(request -> request.place = plan.add(request.drafts, budget, 0));
        step = plan.draft();
    }

    private void verify(ModelDrafts drafts, List<Conversation> requests, boolean toTheEnd) {
        boolean some = requests.stream().anyMatch(request -> request.nodes() > 0);
        int passes = model.batches().size();
        drafts.verificationBegins(
                requests.stream().mapToInt(Conversation::nodes).toArray());
        if (toTheEnd && some) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> model.batches().size() == passes + 1 + TOKENS);
        }
        drafts.verificationEnded();
        requests.forEach(request -> request.ending = request.ending());
        say(requests);
    }

    /** Each says its ending. */
    private void say(List<Conversation> requests) {
        step.verified(new StepOutcomes() {
            @Override
            public int[] tokens(int place) {
                return requests.get(place).ending;
            }

            @Override
            public int count(int place) {
                return requests.get(place).ending.length;
            }
        });
        requests.forEach(Conversation::said);
    }

    private ModelDrafts drafts(int forks) {
        model = HashModel.of(SEED);
        ModelDrafts drafts =
                new ModelDrafts("draft-model", model, model.vocabularySize(), new ModelDrafts.Options(TOKENS, forks));
        plan = new DraftPlan(drafts);
        return drafts;
    }

    private Conversation begin(ModelDrafts drafts, int promptTokens) {
        int[] prompt = random.ints(promptTokens, 0, model.vocabularySize()).toArray();
        return new Conversation(drafts.begin("scope", prompt), prompt);
    }

    /** A request with what has been said so far. */
    private final class Conversation {
        private final RequestDrafts drafts;
        private int[] context;
        private int[] ending;
        private int planned;
        private int place;

        Conversation(RequestDrafts drafts, int[] prompt) {
            this.drafts = drafts;
            this.context = prompt;
        }

        int nodes() {
            return step.draft(place).size();
        }

        void requireGreedy(int size) {
            Draft line = step.draft(place);
            assertThat(line.size()).isEqualTo(size);
            int[] said = context;
            for (int node = 0; node < size; node++) {
                int next = likeliest(said);
                assertThat(line.token(node)).as("seed %d, node %d", SEED, node).isEqualTo(next);
                said = append(said, next);
            }
        }

        /** Some of the line, then a token that is not the line's next one: often the one the model finds second likeliest. */
        int[] ending() {
            Draft line = step.draft(place);
            int accepted = line.size() == 0 ? 0 : random.nextInt(line.size() + 1);
            int[] tokens = new int[accepted + 1];
            int[] said = context;
            for (int node = 0; node < accepted; node++) {
                tokens[node] = line.token(node);
                said = append(said, tokens[node]);
            }
            int drafted = accepted < line.size() ? line.token(accepted) : -1;
            int own = random.nextBoolean() ? random.nextInt(model.vocabularySize()) : likeliest(said);
            tokens[accepted] = own == drafted ? (own + 1) % model.vocabularySize() : own;
            return tokens;
        }

        void said() {
            for (int token : ending) {
                context = append(context, token);
            }
        }

        private int likeliest(int[] said) {
            float[] logits = model.logits(said, said.length);
            int best = 0;
            for (int token = 1; token < logits.length; token++) {
                best = logits[token] > logits[best] ? token : best;
            }
            return best;
        }

        private static int[] append(int[] tokens, int token) {
            int[] longer = Arrays.copyOf(tokens, tokens.length + 1);
            longer[tokens.length] = token;
            return longer;
        }
    }
}
