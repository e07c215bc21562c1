package io.tailrace.client.follow.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A scope's folder under another name, and files of one scope in another's folder: they may be the only ones there are. */
class MisplacedKeptTest extends KeptFiles {
    @BeforeEach
    void aScopeAndAnotherAreKept() throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, "A", 1, 1);
            keep(answers, "B", 2, 2);
        }
    }

    /** A process that keeps one answer more of a scope. */
    private void run(String scope, int token) throws IOException {
        try (KeptAnswers answers = KeptAnswers.open(lanes(), kept(), Long.MAX_VALUE)) {
            keep(answers, scope, token, token);
        }
    }

    private Map<Path, String> content(Path of) throws IOException {
        Map<Path, String> content = new TreeMap<>();
        for (Path file : files(of, "").toList()) {
            content.put(file.getFileName(), HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
        return content;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path file : files(from, "").toList()) {
            Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void aRenamedFolderIsNotTouchedAndCountsAgainUnderItsName() throws IOException {
        Path renamed = Files.move(folderOf("A"), folderOf("A.bak"));
        Files.writeString(renamed.resolve("0".repeat(64) + ".segment"), "nothing names it");
        Map<Path, String> before = content(renamed);
        run("B", 3);
        run("A", 4);
        assertThat(content(renamed)).isEqualTo(before);
        Files.move(folderOf("A"), folderOf("A.new"));
        Files.move(renamed, folderOf("A"));
        run("A", 5);
        assertThat(documents(folderOf("A"))).containsExactlyInAnyOrder("[1]", "[5]");
        assertThat(documents(folderOf("A.new"))).containsExactly("[4]");
    }

    @Test
    void aFolderWithoutALayoutIsNotTouchedUnderAnotherName() throws IOException {
        Path renamed = Files.move(folderOf("A"), folderOf("A.bak"));
        Files.delete(renamed.resolve("layout"));
        Map<Path, String> before = content(renamed);
        run("B", 3);
        assertThat(content(renamed)).isEqualTo(before);
    }

    @Test
    void aFolderThatHasTheNameOfAScopeInUseKeepsBoth() throws IOException {
        Files.move(folderOf("A"), folderOf("C"));
        Map<Path, String> before = content(folderOf("C"));
        run("B", 3);
        assertThat(content(folderOf("C"))).isEqualTo(before);
        run("C", 4);
        run("C", 5);
        assertThat(documents(folderOf("C"))).containsExactlyInAnyOrder("[1]", "[4]", "[5]");
        copy(folderOf("C"), folderOf("A"));
        run("A", 6);
        assertThat(documents(folderOf("A"))).contains("[1]", "[6]");
        ServedLanes lanes = lanes();
        KeptAnswers.open(lanes, kept(), Long.MAX_VALUE).close();
        assertThat(lanes.all()).extracting(lane -> lane.lane().scope()).containsExactly("A", "B", "C");
    }

    @Test
    void anotherScopesFilesOverAScopesOwnCostNeitherItsOwn() throws IOException {
        copy(folderOf("A"), folderOf("B"));
        run("B", 3);
        run("B", 4);
        assertThat(documents(folderOf("B"))).containsExactlyInAnyOrder("[1]", "[2]", "[3]", "[4]");
        assertThat(documents(folderOf("A"))).containsExactly("[1]");
    }

    @Test
    void aLayoutThatNamesNothingThatIsThereCostsNothing() throws IOException {
        Files.copy(
                folderOf("A").resolve("layout"), folderOf("B").resolve("layout"), StandardCopyOption.REPLACE_EXISTING);
        run("B", 3);
        assertThat(documents(folderOf("B"))).containsExactlyInAnyOrder("[2]", "[3]");
    }
}
