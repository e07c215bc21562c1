package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static io.tailrace.client.follow.internal.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.GenerationEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --store} loads. */
class SnapshotFolderTest {
    @TempDir
    Path folder;

    private ServedLanes lanes;

    @BeforeEach
    void noLanes() {
        lanes = new ServedLanes(MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")), 0);
    }

    private int load() throws IOException {
        return new SnapshotFolder(MODEL, folder).loadInto(lanes, 5_000);
    }

    @Test
    void itsSegmentsAreTheLanesSnapshot() throws IOException {
        for (int each = 0; each < 3; each++) {
            int newest = each;
            Path in = Files.createDirectories(folder.resolve("newest-" + newest));
            for (int answer = 0; answer < 3; answer++) {
                GenerationEntry entry = new GenerationEntry(1, answer, "p", answer == newest ? 9_000 : 1_000 + answer);
                Compaction.flush(
                        List.of(new Compaction.Input(entry, new int[] {answer, 50, 60})), MODEL.identity(LANE), in);
            }
            ServedLanes own = new ServedLanes(MODEL, FollowOptions.of(in.toUri(), in.resolve("cache")), 0);
            assertThat(new SnapshotFolder(MODEL, in).loadInto(own, 5_000)).isEqualTo(1);
            LoadedSnapshot snapshot = own.ofRequest(LANE.scope()).live().lease();
            assertThat(snapshot.version()).isEqualTo(9_000);
            assertThat(finds(snapshot.index().newest(), newest)).isTrue();
            assertThat(snapshot.index().older()).hasSize(2).noneMatch(older -> finds(older, newest));
            snapshot.release();
            own.close();
        }
    }

    private static boolean finds(OccurrenceIndex index, int token) {
        Occurrences found = new Occurrences();
        index.nearest(new int[] {token}, 1, 1, 0, found);
        return found.size() == 1 && found.matchLength(0) == 1;
    }

    @Test
    void anEmptyFolderLeavesEveryLaneWithoutASnapshot() throws IOException {
        assertThat(load()).isZero();
        assertThat(lanes.ofRequest("s").live().version()).isZero();
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> new SnapshotFolder(MODEL, missing).loadInto(lanes, 5_000))
                .isInstanceOf(IOException.class)
                .hasMessage(missing + " is to hold a snapshot's segments, and is no folder");
    }

    @Test
    void aDamagedSegmentIsRefusedAndNothingIsLive() throws IOException {
        SegmentReference reference = segment(folder, SegmentRole.NEWEST, 1, 2, 3);
        Path file = folder.resolve(reference.getPath());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(this::load).isInstanceOf(CorruptSegmentException.class);
        assertThat(lanes.ofRequest(LANE.scope()).live().version()).isZero();
    }

    @Test
    void anotherModelsSegmentIsRefusedByName() throws IOException {
        segment(folder, SegmentRole.NEWEST, 1, 2, 3);
        ServedModel other = new ServedModel("other", "1", 100, "tok");
        assertThatThrownBy(() -> new SnapshotFolder(other, folder).loadInto(lanes, 5_000))
                .hasMessageContaining("take it out of the folder");
    }

    @Test
    void moreSegmentsThanASnapshotHasAreRefused() throws IOException {
        for (int token = 1; token <= 5; token++) {
            segment(folder, SegmentRole.OLDER, token, token + 1);
        }
        assertThatThrownBy(this::load).hasMessageContaining("at most 4");
    }
}
