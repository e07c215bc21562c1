package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptAnswersTest {
    private static final ServedModel MODEL = new ServedModel("llama", "1", 50, "sha256:0");
    private static final LaneId LANE = MODEL.lane("chat/a.b");

    @TempDir
    private Path folder;

    private ServedLanes lanes() {
        return new ServedLanes(MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")), 0);
    }

    private Path kept() {
        return folder.resolve("kept");
    }

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
    void whatAKilledProcessLeftBehindIsSweptAway() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            answers.add(LANE.scope(), "a", "engine", RememberedAnswer.of(new int[] {1, 2}), 1);
        }
        Path named = files(".segment").findFirst().orElseThrow();
        Files.copy(named, named.resolveSibling("0".repeat(64) + ".segment"));
        Files.writeString(named.resolveSibling("layout.new"), "nonsense");
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        assertThat(files("").map(Path::getFileName).map(Path::toString))
                .hasSize(3)
                .contains("layout");
    }

    @Test
    void anotherTokenizersAnswersAreRefusedAndStay() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            answers.add(LANE.scope(), "a", "engine", RememberedAnswer.of(new int[] {1, 2}), 1);
        }
        ServedLanes other = new ServedLanes(
                new ServedModel("llama", "1", 50, "sha256:1"),
                FollowOptions.of(folder.toUri(), folder.resolve("cache")),
                0);
        assertThatThrownBy(() -> KeptAnswers.open(other, kept(), Long.MAX_VALUE).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sha256:1")
                .hasMessageContaining("another folder");
        assertThat(documents(kept())).hasSize(1);
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

    private static List<String> documents(Path of) throws IOException {
        List<String> documents = new ArrayList<>();
        try (Stream<Path> all = Files.walk(of)) {
            for (Path file :
                    all.filter(path -> path.toString().endsWith(".segment")).toList()) {
                try (Segment segment = Segment.inspect(file)) {
                    for (int document = 0; document < segment.documents(); document++) {
                        for (int times = segment.multiplicity(document); times > 0; times--) {
                            documents.add(
                                    Arrays.toString(segment.answer(document).tokens()));
                        }
                    }
                }
            }
        }
        return documents;
    }

    private Stream<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(kept())) {
            return all
                    .filter(Files::isRegularFile)
                    .filter(path -> path.toString().endsWith(ending))
                    .toList()
                    .stream();
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) ~one.get(0)).flip();
            channel.write(one, at);
        }
    }
}
