package io.tailrace.worker.follow;

import static io.tailrace.worker.follow.Manifests.LANE;
import static io.tailrace.worker.follow.Manifests.MODEL;
import static io.tailrace.worker.follow.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.suffix.segment.CorruptSegmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --snapshot-dir} loads. */
class SnapshotFolderTest {
    @TempDir
    Path folder;

    private FollowedLanes lanes;

    @BeforeEach
    void noLanes() {
        lanes = new FollowedLanes(MODEL, FollowOptions.of(folder.toUri(), folder.resolve("cache")), 0);
    }

    private int load() throws IOException {
        return new SnapshotFolder(MODEL, folder).loadInto(lanes, 5_000);
    }

    @Test
    void itsSegmentsAreTheLanesSnapshot() throws IOException {
        segment(folder, SegmentRole.OLDER, 1, 2, 3);
        segment(folder, SegmentRole.NEWEST, 4, 5, 6);
        assertThat(load()).isEqualTo(1);
        LoadedSnapshot snapshot = lanes.ofRequest(LANE.scope()).live().lease();
        assertThat(snapshot.version()).isPositive();
        assertThat(snapshot.index().older()).hasSize(1);
        assertThat(snapshot.index().newest()).isNotNull();
        snapshot.release();
    }

    @Test
    void anEmptyFolderLeavesEveryLaneWithoutASnapshot() throws IOException {
        assertThat(load()).isZero();
        assertThat(lanes.ofRequest("s").live().version()).isZero();
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
