package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An answer is followed to its end: what stands behind it is another prompt's tail and another answer. */
class AlignmentsTest {
    private static final DraftPolicy OPEN = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0, 0, new float[0]);
    private static final int CASES = 3000;
    private static final int TOPICS = 6;
    private static final int IN_TAILS_ONLY = 1000;
    private static final int NOWHERE = 2000;

    private final AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), OPEN);

    @Test
    void anAnswerIsNotFollowedBehindItsEnd() {
        LaneIndex lane = lane(
                answer(IntStream.of(1, 2, 3), IntStream.range(10, 20)),
                answer(IntStream.of(900, 901, 902), IntStream.range(500, 507)));
        drafter.begin(new int[] {1, 2, 3}, 3);
        IntStream said = IntStream.concat(IntStream.range(10, 20), IntStream.range(7001, 7020));
        for (int token : said.toArray()) {
            drafter.draft(lane, 16);
            drafter.verified(new int[] {token}, 1);
            assertThat(tokens(drafter.draft(lane, 16)))
                    .as("after %d", token)
                    .doesNotContain(900, 901, 902, 500, 501, 502, 503, 504, 505, 506);
        }
    }

    /** The request says the first token of the other prompt's tail, near where it would be if the answer went on. */
    @Test
    void aTailIsNotTakenForAnAnswersContinuation() {
        LaneIndex lane = lane(
                answer(IntStream.of(1, 2, 3), IntStream.range(10, 20)),
                answer(IntStream.of(900, 901, 902), IntStream.range(500, 507)));
        for (int away = 0; away < 80; away++) {
            drafter.begin(new int[] {1, 2, 3}, 3);
            for (int token = 10; token < 20; token++) {
                drafter.draft(lane, 16);
                drafter.verified(new int[] {token}, 1);
            }
            drafter.verified(IntStream.range(7000, 7000 + away).toArray(), away);
            drafter.verified(new int[] {900}, 1);
            assertThat(tokens(drafter.draft(lane, 16))).as("after %d", away).doesNotContain(901, 902);
        }
    }

    /** The second draft at a place begins with the answers that were followed before the first. */
    @Test
    void anAnswerThatLeftTheLaneIsNotFollowedAnyMore() {
        FreshIndex fresh = new FreshIndex(1000);
        fresh.add(IntStream.range(10, 30).toArray(), 1);
        LaneIndex lane = new LaneIndex(List.of(), null, fresh, LaneVocabulary.EMPTY);
        drafter.begin(new int[] {10, 11, 12}, 3);
        assertThat(tokens(drafter.draft(lane, 16))).contains(13);
        drafter.verified(new int[] {13}, 1);
        fresh.dropCompletedUntil(1);
        for (int draft = 0; draft < 3; draft++) {
            assertThat(tokens(drafter.draft(lane, 16))).doesNotContain(14);
        }
    }

    @Test
    void whatOnlyTailsHoldIsNeverDrafted() {
        for (long seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            LaneIndex lane = lane(IntStream.range(0, 2 + random.nextInt(12))
                    .mapToObj(i -> randomAnswer(random))
                    .toArray(RememberedAnswer[]::new));
            request(random, lane, "seed " + seed);
        }
    }

    private void request(Random random, LaneIndex lane, String place) {
        int[] prompt = {NOWHERE, NOWHERE + 1, random.nextInt(TOPICS) * 40};
        drafter.begin(prompt, prompt.length);
        Set<Integer> said = new HashSet<>();
        int topic = random.nextInt(TOPICS);
        int kept = random.nextInt(12);
        for (int at = 0; at < 30; at++) {
            Draft draft = drafter.draft(lane, 16);
            for (int node = 0; node < draft.size(); node++) {
                int token = draft.token(node);
                assertThat(token < IN_TAILS_ONLY || token >= NOWHERE || said.contains(token))
                        .as("%s: %d drafted at %d, from %s", place, token, at, draft.source(node))
                        .isTrue();
            }
            int token = at < kept ? topic * 40 + at : left(random);
            said.add(token);
            drafter.verified(new int[] {token}, 1);
        }
    }

    /** What a request says once it has left the answers: mostly what nobody said, or a token that tails have. */
    private static int left(Random random) {
        return random.nextInt(4) == 0 ? IN_TAILS_ONLY + random.nextInt(20) : NOWHERE + random.nextInt(1000);
    }

    private static RememberedAnswer randomAnswer(Random random) {
        int topic = random.nextInt(TOPICS) * 40;
        int from = random.nextInt(20);
        return answer(
                IntStream.range(0, random.nextInt(4)).map(i -> IN_TAILS_ONLY + (from + i) % 20),
                IntStream.range(topic, topic + 4 + random.nextInt(10))
                        .map(token -> random.nextInt(6) == 0 ? token + 20 : token));
    }

    private static RememberedAnswer answer(IntStream tail, IntStream tokens) {
        return new RememberedAnswer(tail.toArray(), tokens.toArray());
    }

    private static LaneIndex lane(RememberedAnswer... answers) {
        return new LaneIndex(List.of(), null, FreshIndex.ofAnswers(Arrays.asList(answers)), LaneVocabulary.EMPTY);
    }

    private static List<Integer> tokens(Draft draft) {
        List<Integer> tokens = new ArrayList<>();
        for (int node = 0; node < draft.size(); node++) {
            tokens.add(draft.token(node));
        }
        return tokens;
    }
}
