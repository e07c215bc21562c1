package io.tailrace.suffix.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Local copies of files that are not mapped. */
class SegmentFolderTest {
    private static final SegmentFile SEGMENT = file("a", ".segment");
    private static final SegmentFile SIDECAR = file("b", ".sidecar");

    @TempDir
    Path folder;

    private final List<String> fetched = new ArrayList<>();
    private SegmentFolder copies;

    private static SegmentFile file(String digit, String ending) {
        return new SegmentFile("lane/" + digit.repeat(64) + ending, digit.repeat(64), 0);
    }

    @BeforeEach
    void open() throws IOException {
        copies = new SegmentFolder(
                (file, target) -> {
                    fetched.add(file.path());
                    Files.writeString(target, file.sha256());
                },
                folder,
                100,
                SegmentOpener.segments(),
                (sha256, damage) -> {});
    }

    @Test
    void aSegmentAndASidecarAreFetchedOnceAndKeepTheirEndings() throws IOException {
        Path segment = copies.copy(SEGMENT, Files::readString);
        Path sidecar = copies.copy(SIDECAR, Files::readString);
        assertThat(segment).hasFileName(SEGMENT.sha256() + ".segment");
        assertThat(sidecar).hasFileName(SIDECAR.sha256() + ".sidecar");
        assertThat(copies.copy(SIDECAR, Files::readString)).isEqualTo(sidecar);
        assertThat(fetched).containsExactly(SEGMENT.path(), SIDECAR.path());
    }

    @Test
    void aFileOfAnotherHashLeavesNothingBehind() {
        assertThatThrownBy(() -> copies.copy(SIDECAR, file -> "c".repeat(64)))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining(SIDECAR.path());
        assertThat(folder).isEmptyDirectory();
    }

    /** What may not be deleted, as another user's, keeps nobody from starting, and the others go. */
    @Test
    void aDownloadThatWasGivenUpAndCannotBeDeletedIsPutAside() throws IOException {
        Path folderInPlace =
                Files.createDirectories(folder.resolve("a.download/b")).getParent();
        Path left = Files.createFile(folder.resolve("c.download"));
        for (Path old : List.of(folderInPlace, left)) {
            Files.setLastModifiedTime(old, FileTime.fromMillis(1_000));
        }
        open();
        assertThat(left).doesNotExist();
        assertThat(folderInPlace).doesNotExist();
        assertThat(folder.resolve("a.download.aside/b")).exists();
    }

    @Test
    void anAdoptedFileIsNotFetched() throws IOException {
        Path written = Files.writeString(folder.resolve("written"), "content");
        copies.adopt(SIDECAR, written);
        assertThat(copies.copy(SIDECAR, Files::readString)).hasContent("content");
        assertThat(fetched).isEmpty();
    }

    @Test
    void sidecarsCountForTheBoundAndTheLongestUnusedGoes() throws IOException {
        Path sidecar = copies.copy(SIDECAR, Files::readString);
        Path segment = copies.copy(SEGMENT, Files::readString);
        Files.setLastModifiedTime(sidecar, FileTime.fromMillis(1_000));
        copies.evict(Set.of(SIDECAR.sha256())::contains);
        assertThat(sidecar).exists();
        assertThat(segment).doesNotExist();
        copies.copy(SEGMENT, Files::readString);
        copies.evict(sha256 -> false);
        assertThat(sidecar).doesNotExist();
        assertThat(segment).exists();
    }

    @Test
    void aDiscardedSidecarIsFetchedAnew() throws IOException {
        copies.copy(SIDECAR, Files::readString);
        copies.discard(SIDECAR.sha256());
        copies.copy(SIDECAR, Files::readString);
        assertThat(fetched).hasSize(2);
    }

    @Test
    void aNameOutsideTheStoresShapeIsRefused() {
        assertThatThrownBy(() -> copies.copy(file("a", ".txt"), Files::readString))
                .hasMessageContaining("must end with one of [.segment, .sidecar]");
        assertThatThrownBy(() -> copies.copy(new SegmentFile("x.segment", "../x", 0), Files::readString))
                .hasMessageContaining("64 lower-case hexadecimal digits");
    }

    /** A bit that turns between two runs of the program is found when the file is read, not when it is opened. */
    @Test
    void aSegmentThatRotsWithinIsFetchedAgainAndMappedOnce() throws IOException {
        for (int section : List.of(StoredSegment.TEXT, StoredSegment.DOCUMENT_STARTS, StoredSegment.TAILS)) {
            StoredSegment stored = StoredSegment.write(folder.resolve("section-" + section));
            List<String> reported = new ArrayList<>();
            SegmentFolder segments = stored.folder(reported);
            segments.open(stored.file(), StoredSegment.LANE).unmap().run();
            stored.rot(section);
            MappedSegments mapped = new MappedSegments(segments);
            HeldSegments held = HeldSegments.acquire(mapped, List.of(stored.file()), StoredSegment.LANE);
            assertThat(held.index(0, null).vocabulary().popularTokens()).isPositive();
            assertThat(reported)
                    .as("section %d", section)
                    .containsExactly(stored.file().sha256());
            assertThat(stored.downloads()).isEqualTo(2);
            assertThat(stored.cached()).hasSameBinaryContentAs(stored.original());
            held.release();
            assertThat(mapped.isMapped(stored.file().sha256())).isFalse();
        }
    }

    @Test
    void anIntactSegmentThatAnotherLaneNamesStays() throws IOException {
        StoredSegment stored = StoredSegment.write(folder.resolve("foreign"));
        List<String> reported = new ArrayList<>();
        SegmentFolder segments = stored.folder(reported);
        segments.open(stored.file(), StoredSegment.LANE).unmap().run();
        SegmentIdentity other = new SegmentIdentity("model@1/other", 1000, "tokenizer");
        assertThatThrownBy(() -> segments.open(stored.file(), other))
                .isInstanceOfSatisfying(
                        CorruptSegmentException.class,
                        refused -> assertThat(refused.isForeign()).isTrue())
                .hasMessageContaining("the file is intact but belongs elsewhere");
        assertThat(reported).isEmpty();
        segments.open(stored.file(), StoredSegment.LANE).unmap().run();
        assertThat(stored.downloads()).isEqualTo(1);
    }

    /** What lies in a file's place and cannot be opened, whoever asks: as a file cannot that another user has closed. */
    private enum Obstacle {
        FOLDER,
        FOLDER_WITH_A_FILE,
        LINK_TO_ITSELF;

        void put(Path file) throws IOException {
            if (this == LINK_TO_ITSELF) {
                Files.createSymbolicLink(file, file);
            } else {
                Files.createDirectory(file);
            }
            if (this == FOLDER_WITH_A_FILE) {
                Files.writeString(file.resolve("foreign"), "foreign");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSegmentThatCannotBeOpenedIsFetchedAnew(Obstacle obstacle) throws IOException {
        StoredSegment stored = StoredSegment.write(folder.resolve("stored"));
        SegmentFolder segments = stored.folder(new ArrayList<>());
        obstacle.put(stored.cached());
        assertThat(segments.isMissing(stored.file())).isTrue();
        segments.open(stored.file(), StoredSegment.LANE).unmap().run();
        assertThat(stored.cached()).hasSameBinaryContentAs(stored.original());
        segments.open(stored.file(), StoredSegment.LANE).unmap().run();
        assertThat(stored.downloads()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aCopyThatCannotBeOpenedIsNoneAndIsFetchedAnew(Obstacle obstacle) throws IOException {
        Path sidecar = folder.resolve(SIDECAR.sha256() + ".sidecar");
        obstacle.put(sidecar);
        assertThat(copies.here(SIDECAR)).isNull();
        assertThat(copies.copy(SIDECAR, Files::readString)).isEqualTo(sidecar).hasContent(SIDECAR.sha256());
        assertThat(fetched).containsExactly(SIDECAR.path());
    }

    @Test
    void aForeignFolderInAFilesPlaceIsPutAsideWithWhatItHolds() throws IOException {
        Path sidecar = folder.resolve(SIDECAR.sha256() + ".sidecar");
        Path aside = folder.resolve(SIDECAR.sha256() + ".sidecar.aside");
        Obstacle.FOLDER_WITH_A_FILE.put(sidecar);
        copies.copy(SIDECAR, Files::readString);
        assertThat(aside.resolve("foreign")).hasContent("foreign");
        copies.discard(SIDECAR.sha256());
        Obstacle.FOLDER_WITH_A_FILE.put(sidecar);
        assertThatThrownBy(() -> copies.copy(SIDECAR, Files::readString))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(sidecar + " cannot be used")
                .hasMessageContaining("remove it");
        assertThat(sidecar.resolve("foreign")).exists();
        assertThat(fetched).as("not before there is room for it").hasSize(1);
    }
}
