package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.learn.GenerationReplay;
import io.tailrace.testkit.Cases;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Who walks along an answer that is known takes the steps, and learns what it would learn, of whole drafts. Mixers that are tried beside a learner, each
 * with its own limits, take the steps that they would take alone, but for what comes of following other answers than the learner does.
 */
class MixersBesideTest {
    private static final DraftPolicy OPEN = new DraftPolicy(true, DraftPolicy.BUDGET_MAX, 0.003f, 0, new float[0]);

    private final GenerationReplay replay = new GenerationReplay();
    private long stepsBeside;
    private long stepsAlone;

    @Test
    void walkingTogetherIsWalkingAlone() {
        Cases.forEachSeed(3000, seed -> compare(new Random(seed), 60));
        assertThat((double) stepsBeside / stepsAlone).isBetween(0.997, 1.003);
    }

    @Test
    void alsoThroughLongGenerations() {
        Cases.forEachSeed(30, seed -> compare(new Random(seed), 600));
        assertThat((double) stepsBeside / stepsAlone).isBetween(0.99, 1.01);
    }

    @Test
    void withoutOthersTheLearnerWalksAlone() {
        replay.walk(
                learner(Mixer.defaults()),
                new int[] {1, 2, 1},
                new int[] {2, 1, 2, 1, 2, 1},
                LaneIndex.EMPTY,
                4,
                new GenerationReplay.Side[0]);
        assertThat(replay.steps()).isPositive();
        assertThat(replay.steps() + replay.accepted()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void whatIsDraftedIsExtrapolatedToWithinAFewHundredths() {
        long[] drafted = new long[2];
        Cases.forEachSeed(2000, seed -> {
            Random random = new Random(seed);
            int alphabet = 1 + random.nextInt(6);
            int[] prompt = random.ints(random.nextInt(30), 0, alphabet).toArray();
            int[] response = random.ints(random.nextInt(60), 0, alphabet).toArray();
            LaneIndex lane = RandomLane.lane(random, alphabet);
            replay.run(learner(Mixer.defaults()), prompt, response, lane, 16);
            drafted[0] += replay.drafted();
            replay.walk(learner(Mixer.defaults()), prompt, response, lane, 16);
            drafted[1] += replay.drafted();
        });
        assertThat((double) drafted[1] / drafted[0]).isBetween(0.97, 1.03);
    }

    private void compare(Random random, int responseMax) {
        int alphabet = 1 + random.nextInt(6);
        int[] prompt = random.ints(random.nextInt(30), 0, alphabet).toArray();
        int[] response = random.ints(random.nextInt(responseMax), 0, alphabet).toArray();
        LaneIndex lane = RandomLane.lane(random, alphabet);
        int budget = random.nextInt(20);
        GenerationReplay.Side[] others = new GenerationReplay.Side[random.nextInt(4)];
        for (int i = 0; i < others.length; i++) {
            others[i] = new GenerationReplay.Side(noisy(random), limits(random));
        }
        Mixer alone = noisy(random);
        Mixer together = Mixer.of(alone.weights());

        AdaptiveDrafter learner = learner(alone);
        replay.run(learner, prompt, response, lane, budget);
        long[] expected = figures(learner);
        AdaptiveDrafter accompanied = learner(together);
        replay.walk(accompanied, prompt, response, lane, budget, others);
        assertThat(figures(accompanied)).isEqualTo(expected);
        assertThat(together.weights()).isEqualTo(alone.weights());
        assertThat(accompanied.logLoss()).isEqualTo(learner.logLoss());
        long[] beside = new long[others.length];
        for (int i = 0; i < others.length; i++) {
            beside[i] = replay.stepsBeside(i);
        }
        for (int i = 0; i < others.length; i++) {
            Mixer mixer = others[i].mixer();
            float[] before = mixer.weights();
            mixer.hurry(0);
            replay.run(new AdaptiveDrafter(mixer, others[i].limits()), prompt, response, lane, DraftPolicy.BUDGET_MAX);
            stepsBeside += beside[i];
            stepsAlone += replay.steps();
            assertThat(mixer.weights()).isEqualTo(before);
        }
    }

    private long[] figures(AdaptiveDrafter drafter) {
        return new long[] {replay.steps(), replay.accepted(), drafter.predictions()};
    }

    private static AdaptiveDrafter learner(Mixer mixer) {
        return new AdaptiveDrafter(mixer, OPEN);
    }

    private static DraftPolicy limits(Random random) {
        float floor = random.nextInt(4) == 0 ? 1 : random.nextFloat() * random.nextFloat();
        return new DraftPolicy(random.nextInt(8) > 0, random.nextInt(20), floor, 0, new float[0]);
    }

    private static Mixer noisy(Random random) {
        float[] weights = Mixer.defaults().weights();
        float noise = random.nextInt(3) * 0.4f;
        for (int i = 0; i < weights.length; i++) {
            weights[i] += (float) (noise * random.nextGaussian());
        }
        return Mixer.of(weights);
    }
}
