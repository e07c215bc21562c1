package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.SignaturePostings;
import io.tailrace.testkit.Cases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostingsRoomTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity("m@1/s", 100_000, "t");
    private static final long BYTES = 1 << 20;

    @TempDir
    Path folder;

    private final PostingsRoom room = new PostingsRoom(BYTES);

    @Test
    void whatTakesMoreThanHalfOfWhatIsFreeGoesWithoutAndSmallerFindsRoom() {
        assertThat(room.take(BYTES / 2 + 1)).isFalse();
        assertThat(room.take(BYTES / 2)).isTrue();
        assertThat(room.take(BYTES / 4 + 1)).isFalse();
        for (long bytes = BYTES / 4; bytes > 0; bytes /= 2) {
            assertThat(room.take(bytes)).as("%d bytes", bytes).isTrue();
        }
        room.giveBack(BYTES / 2);
        assertThat(room.take(BYTES / 4)).isTrue();
    }

    @Test
    void takenTogetherItIsNeverMoreThanThereIs() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            PostingsRoom few = new PostingsRoom(1_000);
            List<Long> taken = new ArrayList<>();
            for (int step = 0; step < 100; step++) {
                long bytes = random.nextInt(700);
                if (few.take(bytes)) {
                    taken.add(bytes);
                } else if (!taken.isEmpty()) {
                    few.giveBack(taken.remove(random.nextInt(taken.size())));
                }
                long free = 1_000 - taken.stream().mapToLong(each -> each).sum();
                assertThat(few.bytesFree()).isEqualTo(free).isNotNegative();
            }
        });
    }

    @Test
    void theAnswersOfTheOldestSegmentAreNotLookedUpUntilThereIsRoomForThem() throws IOException {
        PostingsRoom few = new PostingsRoom(2 * SignaturePostings.bytesMax(1_000));
        Segment oldest = segment(1_000, few);
        Segment older = segment(300, few);
        Segment newest = segment(20, few);
        try (oldest) {
            LaneIndex full = new LaneIndex(List.of(oldest, older), newest, null);
            assertThat(full.newest().signed()).hasSize(1);
            assertThat(full.older().get(1).signed()).hasSize(1);
            assertThat(full.older().get(0).signed()).isEmpty();
            assertThat(oldest.postings().answers()).isZero();
            assertThat(few.bytesFree())
                    .as("what they take, not what they might")
                    .isEqualTo(2 * SignaturePostings.bytesMax(1_000)
                            - older.postings().bytes()
                            - newest.postings().bytes());
            older.close();
            newest.close();
            assertThat(newest.signed()).isEmpty();
            LaneIndex next = new LaneIndex(List.of(oldest), null, null);
            assertThat(next.older().get(0).signed()).hasSize(1);
            assertThat(oldest.postings().answers()).isEqualTo(1_000);
        }
        assertThat(few.bytesFree()).isEqualTo(2 * SignaturePostings.bytesMax(1_000));
    }

    /** Answers of two tokens to prompts of a hundred. */
    private Segment segment(int answers, PostingsRoom of) throws IOException {
        Random random = new Random(answers);
        List<Compaction.Input> inputs = new ArrayList<>();
        for (int i = 0; i < answers; i++) {
            int[] prompt = random.ints(100, 0, 100_000).toArray();
            inputs.add(new Compaction.Input(
                    new GenerationEntry(1, i, "p", i), RememberedAnswer.of(prompt, 0, new int[] {answers, i})));
        }
        return Segment.reopen(Compaction.flush(inputs, IDENTITY, folder).files().segment(), IDENTITY, of);
    }
}
