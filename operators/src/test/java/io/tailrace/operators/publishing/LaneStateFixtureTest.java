package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State of earlier releases lies in {@code state/}: written then, never changed, and taken up by this release. */
final class LaneStateFixtureTest {
    private static final long START = 1_700_000_000_000L;

    @TempDir
    Path folder;

    /** The first release: no policy in the state; one version announced, one level-0 segment waiting. */
    @Test
    void stateOfTheFirstReleaseIsTakenUp() throws Exception {
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        bench.flush(0, generation("a", START - 7, 1, 2, 3));
        bench.advance(2000);
        bench.flush(1, generation("b", START - 3, 4, 5));
        long announced = bench.manifests().get(0).getVersion();
        String file = Objects.requireNonNull(LaneStateFixtureTest.class.getResource("/state/lane-publisher-1"))
                .getPath();
        bench.restore(OperatorSnapshotUtil.readStateHandle(file));
        bench.advance(3000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(manifests).hasSize(1);
        assertThat(bench.documents(manifests.get(0))).containsExactly("[1, 2, 3]", "[4, 5]");
        assertThat(manifests.get(0).getParentVersion()).isEqualTo(announced);
        assertThat(manifests.get(0).getPolicy().getEnabled()).isTrue();
        assertThat(manifests.get(0).getPolicy().getNumber()).isZero();
        bench.close();
    }
}
