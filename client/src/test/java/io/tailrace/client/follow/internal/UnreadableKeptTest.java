package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the folder of answers and cannot be read, or is not the agent's: it stays, and costs no more than what it holds. */
class UnreadableKeptTest extends KeptFiles {
    @BeforeEach
    void aScopeAndAnotherAreKept() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            keep(answers, "B", 2, 2);
        }
    }

    private Path file(String scope, String ending) throws IOException {
        return files(folderOf(scope), ending).findFirst().orElseThrow();
    }

    private static void requireDraftsFrom(ServedLanes lanes, String scope, boolean segments) {
        LoadedSnapshot snapshot = lanes.ofRequest(scope).live().lease();
        assertThat(snapshot.index().newest() != null).as(scope).isEqualTo(segments);
        snapshot.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {".segment", ".sidecar"})
    void aFileThatCannotBeReadStaysAndCountsAgainOnceItCan(String ending) throws IOException {
        Path closed = file("A", ending);
        makeUnreadable(closed);
        ServedLanes lanes = lanes();
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            requireDraftsFrom(lanes, "A", false);
            requireDraftsFrom(lanes, "B", true);
            keep(answers, "A", 3, 3);
            answers.flush();
            requireDraftsFrom(lanes, "A", true);
            keep(answers, "A", 4, 4);
        }
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        assertThat(closed).isSymbolicLink();
        mend(closed);
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 5, 5);
        }
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[3]", "[4]", "[5]");
        assertThat(documents(folderOf("B"))).containsExactly("[2]");
    }

    @ParameterizedTest
    @ValueSource(strings = {".segment", ".sidecar"})
    void aFileThatCannotBeReadAnyMoreStopsNothingThatComesLater(String ending) throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            Path closed = file("A", ending);
            makeUnreadable(closed);
            keep(answers, "A", 3, 3);
            answers.flush();
            assertThat(answers.waitingTokens()).isZero();
            assertThat(closed).isSymbolicLink();
            mend(closed);
        }
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[3]");
    }

    @Test
    void aLayoutThatCannotBeReadIsPutAsideAndTheSegmentsAreTakenUp() throws IOException {
        Path layout = file("A", "layout");
        makeUnreadable(layout);
        ServedLanes lanes = lanes();
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            requireDraftsFrom(lanes, "A", true);
            keep(answers, "A", 3, 3);
        }
        assertThat(layout.resolveSibling("layout.aside")).isSymbolicLink();
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[3]");
    }

    /** A layout is of no use as a folder, and there is no room to put it aside: nothing can be written there until somebody looks. */
    @Test
    void aScopeThatCannotBeTakenUpCostsTheOthersNothing() throws IOException {
        Path layout = file("A", "layout");
        makeUnreadable(layout);
        Path inTheWay =
                Files.createDirectories(layout.resolveSibling("layout.aside").resolve("foreign"));
        ServedLanes lanes = lanes();
        try (KeptAnswers answers = KeptAnswers.open(lanes, kept(), Long.MAX_VALUE)) {
            requireDraftsFrom(lanes, "B", true);
            keep(answers, "A", 3, 3);
            keep(answers, "B", 4, 4);
            assertThatThrownBy(answers::flush).isInstanceOf(IOException.class).hasMessageContaining("scope A");
            assertThat(documents(folderOf("B"))).containsExactlyInAnyOrder("[2]", "[4]");
            Files.delete(inTheWay);
            Files.delete(inTheWay.getParent());
            answers.flush();
        }
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[3]");
    }

    @Test
    void whatIsNotTheAgentsStays() throws IOException {
        Path notes = Files.createDirectories(folderOf("A").resolve("notes")).resolve("today");
        Path readme = folderOf("A").resolve("README");
        Path named = Files.createDirectories(folderOf("A").resolve("0".repeat(64) + ".segment"));
        Files.writeString(notes, "foreign");
        Files.writeString(readme, "foreign");
        Files.createFile(folderOf("A").resolve("1f.segment.tmp"));
        for (int process = 3; process < 5; process++) {
            try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
                keep(answers, "A", process, process);
            }
        }
        assertThat(List.of(notes, readme)).allSatisfy(file -> assertThat(file).hasContent("foreign"));
        assertThat(named).isDirectory();
        assertThat(files(folderOf("A"), ".tmp")).isEmpty();
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[3]", "[4]");
    }

    /** More than a lane has: they become one once they can be read. */
    @Test
    void manySegmentsThatCanBeReadAgainAreMerged() throws IOException {
        for (int token = 3; token < 8; token++) {
            for (Path file : files(folderOf("A"), ".segment").toList()) {
                makeUnreadable(file);
            }
            try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
                keep(answers, "A", token, token);
            }
        }
        try (var all = Files.list(folderOf("A"))) {
            for (Path closed : all.filter(Files::isSymbolicLink).toList()) {
                assertThat(Files.exists(closed, LinkOption.NOFOLLOW_LINKS)).isTrue();
                mend(closed);
            }
        }
        ServedLanes lanes = lanes();
        KeptAnswers.open(lanes, kept(), Long.MAX_VALUE).close();
        requireDraftsFrom(lanes, "A", true);
        KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE).close();
        assertThat(files(folderOf("A"), ".segment")).hasSize(1);
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[3]", "[4]", "[5]", "[6]", "[7]");
    }
}
