package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
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
                    .ints(100_000 - FreshGenerations.ANSWER_TOKENS, 0, 50)
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
    void theLaneThatHoldsTheMostLosesItsOldest() {
        int[] ten = new int[10];
        long weight = 10 + FreshGenerations.ANSWER_TOKENS;
        WaitingAnswers waiting = new WaitingAnswers(4 * weight);
        waiting.add("B", input(1, ten));
        for (int i = 2; i < 7; i++) {
            waiting.add("A", input(i, ten));
        }
        assertThat(waiting.dropped()).isEqualTo(2);
        var taken = waiting.take();
        assertThat(waiting.tokens()).isZero();
        waiting.add("A", input(7, ten));
        waiting.putBack("A", taken.get("A"));
        waiting.putBack("B", taken.get("B"));
        assertThat(times(waiting.take().get("A"))).containsExactly(5L, 6L, 7L);
        assertThat(waiting.dropped()).isEqualTo(3);
    }

    @Test
    void aScopeWhoseNameIsTooLongForAFolderIsNotKept() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, ".".repeat(86), 1, 1);
            keep(answers, "", 2, 2);
            keep(answers, ".".repeat(85), 3, 3);
            answers.flush();
            assertThat(answers.failures()).isEqualTo(2);
        }
        assertThat(documents(kept())).containsExactly("[3]");
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

    @Test
    void anotherProcessIsToldToTakeAnotherFolder() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            answers.flush();
            assertThatThrownBy(() ->
                            KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(kept().toString())
                    .hasMessageContaining("--kept");
            keep(answers, "A", 2, 2);
        }
        ServedLanes later = lanes();
        KeptAnswers.open(later, kept(), Long.MAX_VALUE).close();
        assertThat(later.all()).hasSize(1);
        assertThat(documents(kept())).containsExactlyInAnyOrder("[1]", "[2]");
    }

    @Test
    void aFolderThatIsRefusedIsLetGo() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
        }
        ServedLanes other = new ServedLanes(
                new ServedModel("llama", "1", 50, "sha256:1"),
                FollowOptions.of(folder.toUri(), folder.resolve("cache")),
                0);
        assertThatThrownBy(() -> KeptAnswers.open(other, kept(), Long.MAX_VALUE).close())
                .hasMessageContaining("sha256:1");
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
    }

    @Test
    void answersOutliveALostLayout() throws IOException {
        for (byte[] lost : new byte[][] {{}, new byte[65], null}) {
            Path kept = folder.resolve("kept-" + (lost == null ? "none" : lost.length));
            try (KeptAnswers answers = KeptAnswers.open(lanes(), kept, Long.MAX_VALUE)) {
                int[] large = new Random(1).ints(300_000, 0, 50).toArray();
                answers.add("A", "a", "engine", RememberedAnswer.of(large), 1);
                answers.flush();
                keep(answers, "A", 2, 2);
            }
            assertThat(files(kept, ".segment")).hasSize(2);
            Path layout = files(kept, "layout").findFirst().orElseThrow();
            List<String> before = Files.readAllLines(layout);
            if (lost == null) {
                Files.delete(layout);
            } else {
                Files.write(layout, lost);
            }
            KeptAnswers.open(lanes(), kept, Long.MAX_VALUE).close();
            assertThat(Files.readAllLines(layout)).isEqualTo(before);
            try (KeptAnswers answers = KeptAnswers.open(lanes(), kept, Long.MAX_VALUE)) {
                keep(answers, "A", 3, 3);
            }
            assertThat(documents(kept)).hasSize(3).contains("[2]", "[3]");
        }
    }

    @Test
    void moreSegmentsThanALaneHasBecomeOneWhereTheLayoutIsLost() throws IOException {
        for (int part = 0; part < 6; part++) {
            try (KeptAnswers answers = KeptAnswers.open(lanes(), folder.resolve("part" + part), Long.MAX_VALUE)) {
                keep(answers, "A", part, part);
            }
            for (Path file : files(folder.resolve("part" + part), "").toList()) {
                if (!file.endsWith("layout")) {
                    Files.createDirectories(folderOf("A"));
                    Files.copy(file, folderOf("A").resolve(file.getFileName()));
                }
            }
        }
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        assertThat(documents(kept())).containsExactlyInAnyOrder("[0]", "[1]", "[2]", "[3]", "[4]", "[5]");
    }

    private static void keep(KeptAnswers answers, String scope, int token, long completedAtMillis) {
        answers.add(
                scope, "r" + completedAtMillis, "engine", RememberedAnswer.of(new int[] {token}), completedAtMillis);
    }

    private static Compaction.Input input(long completedAtMillis, int[] tokens) {
        return new Compaction.Input(new GenerationEntry(0, completedAtMillis, "engine", completedAtMillis), tokens);
    }

    private static List<Long> times(List<Compaction.Input> answers) {
        return answers.stream()
                .map(answer -> answer.entry().completedAtMillis())
                .toList();
    }

    private Path folderOf(String scope) {
        return kept().resolve("llama%401").resolve(scope);
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
        return files(kept(), ending);
    }

    private static Stream<Path> files(Path of, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(of)) {
            return all
                    .filter(Files::isRegularFile)
                    .filter(path -> !path.endsWith(".lock"))
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
