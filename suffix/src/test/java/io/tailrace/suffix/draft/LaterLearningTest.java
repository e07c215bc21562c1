package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A drafter that drafts first and learns then, beside one that learns at once. The other one's mixer is given what it had learned before while it drafts, so
 * both must draft the same and learn the same, bit for bit.
 */
class LaterLearningTest {
    private static final DraftPolicy OPEN = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0.003f, 0, new float[0]);

    private final Mixer laterMixer = Mixer.defaults();
    private final Mixer atOnceMixer = Mixer.defaults();
    private final AdaptiveDrafter later = new AdaptiveDrafter(laterMixer, OPEN);
    private final AdaptiveDrafter atOnce = new AdaptiveDrafter(atOnceMixer, OPEN);
    private int lessons;

    @Test
    void learningAfterTheNextDraftIsLearningAllTheSame() {
        Cases.forEachSeed(2000, seed -> request(new Random(seed)));
        assertThat(lessons).isGreaterThan(1000);
    }

    @Test
    void whatWasNotLearnedByTheNextStepIsLearnedThen() {
        Random random = new Random(5);
        LaneIndex lane = RandomLane.lane(random, 3);
        int[] prompt = random.ints(30, 0, 3).toArray();
        later.begin(prompt, prompt.length);
        atOnce.begin(prompt, prompt.length);
        for (int step = 0; step < 20; step++) {
            later.draft(lane, 8);
            atOnce.draft(lane, 8);
            int[] said = {random.nextInt(3), random.nextInt(3)};
            later.emitted(said, 2);
            later.learn();
            later.learn();
            atOnce.verified(said, 2);
            assertThat(laterMixer.learned()).isEqualTo(atOnceMixer.learned());
        }
        later.draft(lane, 8);
        later.emitted(new int[] {1}, 1);
        later.draft(lane, 8);
        float[] before = laterMixer.weights();
        later.emitted(new int[] {2}, 1);
        assertThat(laterMixer.weights()).isNotEqualTo(before);
    }

    private void request(Random random) {
        int alphabet = 1 + random.nextInt(6);
        LaneIndex lane = RandomLane.lane(random, alphabet);
        int[] prompt = random.ints(1 + random.nextInt(30), 0, alphabet).toArray();
        later.begin(prompt, prompt.length);
        atOnce.begin(prompt, prompt.length);
        float[] learned = atOnceMixer.learned();
        for (int steps = 1 + random.nextInt(12); steps > 0; steps--) {
            int budget = random.nextInt(12);
            List<String> drafted = nodes(later.draft(lane, budget));
            assertThat(nodes(atOnce.draft(lane, budget))).isEqualTo(drafted);
            later.learn();
            atOnceMixer.resume(learned);
            assertThat(laterMixer.learned()).isEqualTo(learned);

            float[] before = atOnceMixer.learned();
            int[] said = said(random, alphabet);
            later.emitted(said, said.length);
            atOnce.verified(said, said.length);
            learned = atOnceMixer.learned();
            lessons += Arrays.equals(learned, before) ? 0 : 1;
            atOnceMixer.resume(before);
        }
        later.learn();
        atOnceMixer.resume(learned);
        assertThat(laterMixer.learned()).isEqualTo(learned);
        assertThat(later.logLoss()).isEqualTo(atOnce.logLoss());
        assertThat(later.predictions()).isEqualTo(atOnce.predictions());
    }

    private int[] said(Random random, int alphabet) {
        return random.ints(1 + random.nextInt(6), 0, alphabet).toArray();
    }

    private static List<String> nodes(Draft draft) {
        return new ArrayList<>(IntStream.range(0, draft.size())
                .mapToObj(node -> draft.token(node) + " after " + draft.parent(node) + " at " + draft.probability(node))
                .toList());
    }
}
