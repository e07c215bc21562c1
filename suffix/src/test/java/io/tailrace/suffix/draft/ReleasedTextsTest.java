package io.tailrace.suffix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.learn.GenerationReplay;
import io.tailrace.suffix.segment.FreshIndex;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A drafter between two requests keeps no text of the lane from being freed. */
class ReleasedTextsTest {
    private static final int COLLECTIONS_MAX = 200;

    private final AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), DraftPolicy.unannounced());

    @Test
    void aDrafterWhoseRequestHasEndedHoldsNoText() throws InterruptedException {
        WeakReference<Object> text = drafted(tokens -> drafter.verified(tokens, 1));
        drafter.end();
        assertFreed(text);
    }

    @Test
    void norOneWhoseLessonWasLeftForLater() throws InterruptedException {
        WeakReference<Object> text = drafted(tokens -> drafter.emitted(tokens, 1));
        drafter.end();
        assertFreed(text);
    }

    @Test
    void norOneThatHasBegunAnother() throws InterruptedException {
        WeakReference<Object> text = drafted(tokens -> drafter.verified(tokens, 1));
        drafter.begin(new int[] {5, 6}, 2);
        drafter.draft(LaneIndex.EMPTY, 8);
        assertFreed(text);
    }

    @Test
    void norOneThatHasReplayedAGeneration() throws InterruptedException {
        GenerationReplay replay = new GenerationReplay();
        int[] prompt = IntStream.range(0, 40).toArray();
        int[] response = IntStream.range(100, 120).toArray();
        assertFreed(replayed(lane -> replay.run(drafter, prompt, response, lane, 8)));
        assertThat(replay.accepted()).isPositive();
        assertFreed(replayed(lane -> replay.walk(drafter, prompt, response, lane, 8)));
        assertThat(replay.accepted()).isPositive();
    }

    private static WeakReference<Object> replayed(Consumer<LaneIndex> replay) {
        FreshIndex fresh = fresh();
        replay.accept(new LaneIndex(List.of(), null, fresh, LaneVocabulary.EMPTY));
        return new WeakReference<>(((Object[]) fresh.content())[0]);
    }

    private static FreshIndex fresh() {
        int[] prompt = IntStream.range(0, 40).toArray();
        return FreshIndex.ofAnswers(
                List.of(RememberedAnswer.of(prompt, 3, IntStream.range(100, 130).toArray())));
    }

    /** Drafts from a lane that nobody but the drafter knows of afterwards; gives its only text. */
    private WeakReference<Object> drafted(Consumer<int[]> verify) {
        int[] prompt = IntStream.range(0, 40).toArray();
        FreshIndex fresh = fresh();
        LaneIndex lane = new LaneIndex(List.of(), null, fresh, LaneVocabulary.EMPTY);
        drafter.begin(prompt, prompt.length);
        for (int token = 100; token < 110; token++) {
            Draft draft = drafter.draft(lane, 8);
            assertThat(draft.size()).isPositive();
            verify.accept(new int[] {token});
        }
        return new WeakReference<>(((Object[]) fresh.content())[0]);
    }

    private static void assertFreed(WeakReference<Object> text) throws InterruptedException {
        for (int i = 0; i < COLLECTIONS_MAX && text.get() != null; i++) {
            System.gc();
            Thread.sleep(1);
        }
        assertThat(text.get()).isNull();
    }
}
