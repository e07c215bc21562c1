package io.tailrace.worker.draftmodel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.engine.Drafting;
import io.tailrace.worker.model.HashModel;
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
    private final Random random = new Random(SEED);
    private long drafted;

    @Test
    void linesOfAStepGrowInCommonPasses() {
        try (ModelDrafts drafts = drafts(0)) {
            List<Conversation> requests = List.of(begin(drafts, 3), begin(drafts, 9), begin(drafts, 300));
            requests.forEach(request -> request.drafting.plan(TOKENS));
            drafts.draftPlanned();
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
                request.drafting.plan(TOKENS);
                drafts.draftPlanned();
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
            request.say(new int[] {model.vocabularySize() + 3});
            request.drafting.plan(TOKENS);
            drafts.draftPlanned();
            assertThat(request.drafting.draft(TOKENS).size()).isZero();
        }
    }

    @Test
    void nearTheContextsEndLinesGetShorter() {
        try (ModelDrafts drafts = drafts(12)) {
            Conversation request = begin(drafts, model.contextTokensMax() - 2);
            request.drafting.plan(TOKENS);
            drafts.draftPlanned();
            request.requireGreedy(2);
            request.drafting.verifying(2);
            drafts.verificationBegins();
            drafts.verificationEnded();
            request.say(new int[] {1, 2});
            request.drafting.plan(TOKENS);
            drafts.draftPlanned();
            assertThat(request.drafting.draft(TOKENS).size()).isZero();
        }
    }

    @Test
    void nearTheCachesEndLinesGetShorterToo() {
        model = new HashModel(SEED, 24, 2, 3, 512, 60);
        try (ModelDrafts drafts =
                new ModelDrafts("draft-model", model, model.vocabularySize(), new ModelDraftOptions(TOKENS, 0))) {
            Conversation request = begin(drafts, 58);
            request.drafting.plan(TOKENS);
            drafts.draftPlanned();
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
                        drafts.draftPlanned();
                        request.drafting.verifying(0);
                        drafts.verificationBegins();
                        drafts.verificationEnded();
                        request.say(random.ints(1 + random.nextInt(3), 0, model.vocabularySize())
                                .toArray());
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
            requests.forEach(request -> request.drafting.close());
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
            request.drafting.plan(request.planned);
        }
        drafts.draftPlanned();
        for (Conversation request : requests) {
            int size = request.nodes();
            assertThat(size).isLessThanOrEqualTo(request.planned);
            request.requireGreedy(whole ? request.planned : size);
            drafted += size;
        }
        verify(drafts, requests, false);
    }

    private void verify(ModelDrafts drafts, List<Conversation> requests, boolean toTheEnd) {
        requests.forEach(request -> request.drafting.verifying(request.nodes()));
        boolean some = requests.stream().anyMatch(request -> request.nodes() > 0);
        int passes = model.batches().size();
        drafts.verificationBegins();
        if (toTheEnd && some) {
            Awaitility.await().until(() -> model.batches().size() == passes + 1 + TOKENS);
        }
        drafts.verificationEnded();
        requests.forEach(request -> request.say(request.ending()));
    }

    private ModelDrafts drafts(int forks) {
        model = HashModel.of(SEED);
        return new ModelDrafts("draft-model", model, model.vocabularySize(), new ModelDraftOptions(TOKENS, forks));
    }

    private Conversation begin(ModelDrafts drafts, int promptTokens) {
        int[] prompt = random.ints(promptTokens, 0, model.vocabularySize()).toArray();
        return new Conversation(drafts.begin("scope", prompt), prompt);
    }

    /** A request with what has been said so far. */
    private final class Conversation {
        private final Drafting drafting;
        private int[] context;
        private int planned;

        Conversation(Drafting drafting, int[] prompt) {
            this.drafting = drafting;
            this.context = prompt;
        }

        int nodes() {
            return drafting.draft(TOKENS).size();
        }

        void requireGreedy(int size) {
            Draft line = drafting.draft(TOKENS);
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
            Draft line = drafting.draft(TOKENS);
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

        void say(int[] tokens) {
            drafting.verified(tokens, tokens.length);
            for (int token : tokens) {
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
