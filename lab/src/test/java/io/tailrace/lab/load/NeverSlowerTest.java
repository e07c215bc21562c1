package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.internal.DrafterMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.strategy.StrategyChoice;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The whole decoder against simulated step times: drafting is never slower than not drafting, and off is not for ever. */
class NeverSlowerTest {
    private static final long SEED = 20_261_129L;
    private static final int REQUESTS = 300;
    private static final RecordedVerifier.StepTime DEAR = new RecordedVerifier.StepTime(1_000, 9_000);
    private static final RecordedVerifier.StepTime CHEAP = new RecordedVerifier.StepTime(15_000, 50);

    private final LiveSnapshot nothing =
            new LiveSnapshot(new LoadedSnapshot(0, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));

    /** Simulated microseconds. */
    private long decode(RequestDecoder decoder, Drafter drafter, RecordedVerifier.StepTime time, int[] response) {
        RecordedVerifier session = new RecordedVerifier(time, response);
        LaneMakers makers = new LaneMakers(1, () -> DrafterMaker.of(policy -> drafter));
        LaneDrafts drafts = new LaneDrafts("test", scope -> nothing, makers);
        DecodeTally tally = decoder.decode(new int[] {1}, session, drafts, nothing, RequestDecoder.Sources.SHARED)
                .tally();
        return tally.stepTimes().values().stream()
                .mapToLong(DecodeTally.StepTotal::micros)
                .sum();
    }

    private double relative(RecordedVerifier.StepTime time, boolean repeats) {
        Random random = new Random(SEED);
        RequestDecoder decoder = new RequestDecoder(16, nanos -> {}, "test");
        RequestDecoder none = new RequestDecoder(16, nanos -> {});
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
        long with = 0;
        long without = 0;
        for (int i = 0; i < REQUESTS; i++) {
            int[] response = response(random, repeats);
            with += decode(decoder, drafter, time, response);
            without += decode(none, StrategyChoice.parse("none").drafter(new float[0]), time, response);
        }
        return (double) with / without;
    }

    private static int[] response(Random random, boolean repeats) {
        int[] phrase = random.ints(20, 0, 30_000).toArray();
        int[] response = new int[200];
        for (int i = 0; i < response.length; i++) {
            response[i] = repeats ? phrase[i % phrase.length] : random.nextInt(300);
        }
        return response;
    }

    @Test
    void whereVerifyingAnyDraftCostsMoreThanItGainsTheTimeIsWithinAPercentOfNone() {
        assertThat(relative(DEAR, true)).as("seed %d", SEED).isLessThan(1.01);
    }

    @Test
    void onTextWithoutRepetitionTheTimeIsWithinAPercentOfNone() {
        assertThat(relative(CHEAP, false)).as("seed %d", SEED).isLessThan(1.01);
        assertThat(relative(DEAR, false)).as("seed %d", SEED).isLessThan(1.01);
    }

    @Test
    void whereItPaysTimeIsSaved() {
        assertThat(relative(CHEAP, true)).as("seed %d", SEED).isLessThan(0.4);
    }

    /** The same decoder, after hundreds of requests at which nothing paid. */
    @Test
    void whenDraftingPaysAgainItIsNoticed() {
        Random random = new Random(SEED);
        RequestDecoder decoder = new RequestDecoder(16, nanos -> {}, "test");
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.defaults());
        for (int i = 0; i < REQUESTS; i++) {
            decode(decoder, drafter, DEAR, response(random, true));
        }
        for (int i = 0; i < REQUESTS; i++) {
            decode(decoder, drafter, CHEAP, response(random, true));
        }
        long time = 0;
        for (int i = 0; i < 20; i++) {
            time += decode(decoder, drafter, CHEAP, response(random, true));
        }
        assertThat(time).as("seed %d", SEED).isLessThan(20L * 200 * CHEAP.micros(1) / 2);
    }
}
