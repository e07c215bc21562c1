package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.LaneId;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The folder of answers on disk: whose it is, what it lists, and what a killed process leaves there. */
class KeptFolderTest extends KeptFiles {
    private static final LaneId LANE = MODEL.lane("chat/a.b");

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

    /** Its folder was renamed, restored or copied: another model may have the same tokenizer and vocabulary. */
    @Test
    void anotherRevisionsAnswersAreRefusedAndStay() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
        }
        ServedModel second = new ServedModel("llama", "2", 50, "sha256:0");
        Files.move(kept().resolve("llama%401"), kept().resolve("llama%402"));
        ServedLanes other = new ServedLanes(second, FollowOptions.of(folder.toUri(), folder.resolve("cache")), 0);
        assertThatThrownBy(() -> KeptAnswers.open(other, kept(), Long.MAX_VALUE).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("llama@1/A")
                .hasMessageContaining("another folder");
        assertThat(documents(kept())).containsExactly("[1]");
        Files.move(kept().resolve("llama%402"), kept().resolve("llama%401"));
        ServedLanes first = lanes();
        KeptAnswers.open(first, kept(), Long.MAX_VALUE).close();
        assertThat(first.all()).hasSize(1);
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

    /** A copy of the folder that was made while an agent wrote to it. */
    @Test
    void segmentsThatALayoutOfMissingOnesDoesNotNameAreTakenUp() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            int[] large = new Random(1).ints(300_000, 0, 50).toArray();
            answers.add("A", "a", "engine", RememberedAnswer.of(large), 1);
            answers.flush();
            keep(answers, "A", 2, 2);
        }
        Path layout = files("layout").findFirst().orElseThrow();
        List<String> before = Files.readAllLines(layout);
        assertThat(before).hasSize(2);
        Files.write(layout, List.of(before.get(0), "0".repeat(64)));
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        assertThat(Files.readAllLines(layout)).isEqualTo(before);
        assertThat(documents(kept())).hasSize(2).contains("[2]");
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
}
