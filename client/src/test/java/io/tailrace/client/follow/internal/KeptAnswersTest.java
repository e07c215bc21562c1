package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers on disk: what is added is there, once, whatever fails beside it. */
class KeptAnswersTest extends KeptFiles {
    private static final LaneId LANE = MODEL.lane("chat/a.b");

    @Test
    void whateverIsAddedIsThereAfterRestarts() throws IOException {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            Path seeded = folder.resolve("kept-" + seed);
            List<String> expected = new ArrayList<>();
            int process = 0;
            for (int restart = 0; restart < 4; restart++) {
                try (KeptAnswers answers = KeptAnswers.open(lanes(), seeded, Long.MAX_VALUE)) {
                    for (int i = random.nextInt(20); i > 0; i--) {
                        int[] tokens = random.ints(1 + random.nextInt(30), 0, 5).toArray();
                        expected.add(Arrays.toString(tokens));
                        answers.add(
                                LANE.scope(), "r" + process++, "engine", RememberedAnswer.of(tokens), 1_000 + process);
                        if (random.nextInt(4) == 0) {
                            answers.flush();
                        }
                    }
                }
                assertThat(documents(seeded)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void whatIsKnownOfAPromptIsKeptWithItsAnswer() throws IOException {
        RememberedAnswer answer = RememberedAnswer.of(new int[] {1, 2, 3, 4, 5}, 3, new int[] {6, 2, 7});
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            answers.add(LANE.scope(), "a", "engine", answer, 2_000);
            answers.flush();
            try (Segment segment = Segment.inspect(files(".segment").findFirst().orElseThrow())) {
                assertThat(segment.answer(0).promptTail()).containsExactly(3, 4, 5);
                assertThat(segment.answer(0).signature()).isEqualTo(answer.signature());
                assertThat(segment.answer(0).copied()).isEqualTo(BitSet.valueOf(new long[] {0b010}));
            }
        }
    }

    @Test
    void largeLanesKeepFourSegmentsAtMostAndForgetTheOldest() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), 1_500_000)) {
            for (int round = 0; round < 20; round++) {
                answers.add(
                        LANE.scope(),
                        "r" + round,
                        "engine",
                        RememberedAnswer.of(
                                new Random(round).ints(130_000, 0, 50).toArray()),
                        round + 1);
                answers.flush();
                assertThat(files(".segment").count()).isLessThanOrEqualTo(4);
                assertThat(files(".sidecar").count())
                        .isEqualTo(files(".segment").count());
            }
        }
        assertThat(documents(kept())).hasSizeBetween(6, 12);
    }

    @Test
    void itIsDraftedFromOnceAndNotTwice() throws IOException {
        ServedLanes lanes = lanes();
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            int[] answer = {1, 2, 3, 4, 5, 6};
            lanes.ofRequest(LANE.scope()).finished("a", RememberedAnswer.of(answer), 7);
            assertThat(found(lanes)).isEqualTo(1);
            answers.add(LANE.scope(), "a", "engine", RememberedAnswer.of(answer), 7);
            answers.flush();
            assertThat(found(lanes)).isEqualTo(1);
            assertThat(lanes.ofRequest(LANE.scope()).state(0).freshTokens()).isZero();
        }
        ServedLanes later = lanes();
        KeptAnswers.open(later, kept(), Long.MAX_VALUE).close();
        assertThat(found(later)).isEqualTo(1);
    }

    /** As by a door that connects anew and does not know whether it had arrived. */
    @Test
    void anAnswerThatIsToldTwiceCountsOnce() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            keep(answers, "A", 1, 1);
            answers.flush();
            keep(answers, "A", 1, 1);
            keep(answers, "B", 1, 1);
        }
        assertThat(documents(folderOf("A"))).containsExactly("[1]");
        assertThat(documents(folderOf("B"))).as("another scope's request").containsExactly("[1]");
    }

    /** What was made of it stays with it, and takes its memory once. */
    @Test
    void aSegmentThatStaysIsOpenedOnceAndClosedWithTheLane() throws IOException {
        ServedLanes lanes = lanes();
        Segment older;
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            for (int i = 0; i < 3; i++) {
                int[] large = new Random(i).ints(130_000, 0, 50).toArray();
                answers.add(LANE.scope(), "r" + i, "engine", RememberedAnswer.of(new int[] {6, 2, 7}, 3, large), 1 + i);
                answers.flush();
            }
            answers.add(LANE.scope(), "small", "engine", RememberedAnswer.of(new int[] {1, 2, 3}), 4);
            answers.flush();
            older = older(lanes);
            answers.add(LANE.scope(), "another", "engine", RememberedAnswer.of(new int[] {4, 5, 6}), 5);
            answers.flush();
            assertThat(older(lanes)).isSameAs(older);
            assertThat(older.signed()).isNotEmpty();
        }
        lanes.close();
        assertThat(older.signed()).as("once it is closed").isEmpty();
    }

    private static Segment older(ServedLanes lanes) {
        LoadedSnapshot snapshot = lanes.ofRequest(LANE.scope()).live().lease();
        try {
            return (Segment) snapshot.index().older().get(0);
        } finally {
            snapshot.release();
        }
    }

    @Test
    void aDamagedSegmentCostsItsAnswersOnly() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            answers.add(
                    LANE.scope(),
                    "a",
                    "engine",
                    RememberedAnswer.of(new Random(1).ints(300_000, 0, 50).toArray()),
                    1);
            answers.flush();
            answers.add(LANE.scope(), "b", "engine", RememberedAnswer.of(new int[] {1, 2, 3}), 2);
        }
        Path larger = files(".segment")
                .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                .orElseThrow();
        flip(larger, larger.toFile().length() / 2);
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            answers.add(LANE.scope(), "c", "engine", RememberedAnswer.of(new int[] {4, 5}), 3);
        }
        assertThat(documents(kept())).containsExactlyInAnyOrder("[1, 2, 3]", "[4, 5]");
    }

    @Test
    void aLaneThatCannotBeWrittenCostsTheOthersNothing() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            answers.flush();
            Path of = folderOf("A");
            Path aside = Files.move(of, folder.resolve("aside"));
            Files.createFile(of);
            keep(answers, "A", 2, 2);
            keep(answers, "B", 3, 3);
            keep(answers, "A", 4, 4);
            assertThatThrownBy(answers::flush).isInstanceOf(IOException.class).hasMessageContaining("scope A");
            assertThat(documents(folderOf("B"))).containsExactly("[3]");
            Files.delete(of);
            Files.move(aside, of);
            answers.flush();
            assertThat(documents(of)).containsExactlyInAnyOrder("[1]", "[2]", "[4]");
            assertThat(answers.failures()).isZero();
        }
    }

    @Test
    void whatIsWrittenButNotServedIsNotWrittenAgain() throws IOException {
        ServedLanes lanes = lanes();
        ServedLane lane = lanes.ofRequest("A");
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            lane.finished("r1", RememberedAnswer.of(new int[] {1}), 1);
            keep(answers, "A", 1, 1);
            lane.onChange(() -> {
                throw new IllegalStateException("cannot be served");
            });
            assertThatThrownBy(answers::flush).hasMessageContaining("cannot be served");
            lane.onChange(() -> {});
            answers.flush();
            assertThat(documents(kept())).containsExactly("[1]");
            assertThat(lane.state(0).freshTokens()).isPositive();
            keep(answers, "A", 2, 2);
            answers.flush();
            assertThat(lane.state(0).freshTokens()).isZero();
        }
        assertThat(documents(kept())).containsExactlyInAnyOrder("[1]", "[2]");
    }

    @Test
    void whatCannotBeWrittenIsBoundedAndCounted() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            answers.flush();
            Files.move(folderOf("A"), folder.resolve("aside"));
            Files.createFile(folderOf("A"));
            int[] large = new Random(1)
                    .ints(100_000 - WaitingAnswers.ANSWER_TOKENS, 0, 50)
                    .toArray();
            for (int round = 0; round < 100; round++) {
                answers.add("A", "large" + round, "engine", RememberedAnswer.of(large), 2 + round);
                keep(answers, "B", 4, 2 + round);
                assertThatThrownBy(answers::flush).isInstanceOf(IOException.class);
                assertThat(answers.waitingTokens()).isLessThanOrEqualTo(KeptAnswers.WAITING_TOKENS_MAX);
            }
            assertThat(answers.failures())
                    .as("39 large ones wait, and B has room")
                    .isEqualTo(61);
            assertThat(documents(folderOf("B"))).hasSize(100);
        }
    }

    @Test
    void aSegmentThatIsDamagedWhileRunningCostsItsAnswersOnly() throws IOException {
        for (String ending : List.of(".segment", ".sidecar")) {
            Path kept = folder.resolve("kept-" + ending.substring(1));
            ServedLanes lanes = lanes();
            try (KeptAnswers answers = KeptAnswers.open(lanes, kept, Long.MAX_VALUE)) {
                keep(answers, "A", 1, 1);
                answers.flush();
                Path damaged = files(kept, ending).findFirst().orElseThrow();
                flip(damaged, damaged.toFile().length() / 2);
                keep(answers, "A", 2, 2);
                answers.flush();
                keep(answers, "A", 3, 3);
                answers.flush();
                assertThat(answers.waitingTokens()).isZero();
            }
            assertThat(documents(kept)).as(ending).containsExactlyInAnyOrder("[2]", "[3]");
        }
    }

    /** An older segment that is not merged soon: it is found by who drafts from it, and not served again with the next answers. */
    @Test
    void aSegmentThatIsFoundDamagedWhileDraftingIsServedNoMore() throws IOException {
        ServedLanes lanes = lanes();
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            answers.add(
                    "A",
                    "r",
                    "engine",
                    RememberedAnswer.of(new Random(1).ints(300_000, 0, 50).toArray()),
                    1);
            answers.flush();
            Path older = files(".segment").findFirst().orElseThrow();
            keep(answers, "A", 2, 2);
            answers.flush();
            assertThat(files(".segment")).hasSize(2);
            flip(older, Files.size(older) / 2);
            LiveSnapshot live = lanes.ofRequest("A").live();
            LoadedSnapshot drafted = live.lease();
            live.damaged(drafted, new IllegalStateException("a token out of range"));
            drafted.release();
            keep(answers, "A", 3, 3);
            answers.flush();
            assertThat(older).doesNotExist();
            assertThat(live.lease().index().older()).isEmpty();
        }
        assertThat(documents(kept())).containsExactlyInAnyOrder("[2]", "[3]");
    }

    /** Wherever it is, and whatever it then reads as: what comes later is kept. */
    @Test
    void noByteThatRotsWhileRunningStopsWhatComesLater() throws IOException {
        RememberedAnswer whole = new RememberedAnswer(
                new int[] {7, 8, 9}, new int[] {1, 2, 3}, null, PromptSignature.of(new int[] {5, 6, 7, 8, 9}));
        long bytes = 1;
        for (int at = 0; at < bytes; at += 101) {
            Path kept = folder.resolve("kept-" + at);
            try (KeptAnswers answers = KeptAnswers.open(lanes(), kept, Long.MAX_VALUE)) {
                answers.add("A", "r", "engine", whole, 1);
                answers.flush();
                Path rotten = files(kept, ".segment").findFirst().orElseThrow();
                bytes = Files.size(rotten);
                flip(rotten, at);
                keep(answers, "A", 42, 2);
                answers.flush();
                assertThat(answers.waitingTokens()).as("byte %d", at).isZero();
            }
            assertThat(documents(kept)).as("byte %d", at).contains("[42]");
        }
    }

    @Test
    void scopesBeyondTheLanesBoundAreNotKept() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(2), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            keep(answers, "B", 2, 2);
            keep(answers, "C", 3, 3);
            keep(answers, "A", 4, 4);
            answers.flush();
            assertThat(answers.failures()).isEqualTo(1);
        }
        assertThat(documents(kept())).containsExactlyInAnyOrder("[1]", "[4]", "[2]");
        ServedLanes one = lanes(1);
        try (KeptAnswers answers = KeptAnswers.open(one, kept(), Long.MAX_VALUE)) {
            keep(answers, "B", 5, 5);
            assertThat(answers.failures()).isEqualTo(1);
        }
        assertThat(one.all()).hasSize(1);
        assertThat(documents(kept()))
                .as("what lies there waits for a start with room")
                .containsExactlyInAnyOrder("[1]", "[4]", "[2]");
    }

    private ServedLanes lanes(int max) {
        return new ServedLanes(
                MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")).withLanesMax(max), 0);
    }

    private static int found(ServedLanes lanes) {
        LoadedSnapshot snapshot = lanes.ofRequest(LANE.scope()).live().lease();
        try {
            return occurrences(snapshot.index().newest())
                    + occurrences(snapshot.index().fresh());
        } finally {
            snapshot.release();
        }
    }

    /** Of the pair 2, 3. */
    private static int occurrences(OccurrenceIndex index) {
        Occurrences found = new Occurrences();
        if (index != null) {
            index.nearest(new int[] {2, 3}, 2, 16, 0, found);
        }
        return (int) IntStream.range(0, found.size())
                .filter(each -> found.matchLength(each) == 2)
                .count();
    }
}
