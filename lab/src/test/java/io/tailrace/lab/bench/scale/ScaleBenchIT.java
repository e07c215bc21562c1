package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.bench.scale.ScalePoint.Grows;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small installations, counted: what must be there is there, and what must not differ does not. */
@Tag("full")
class ScaleBenchIT {
    private static final int RATE = 40;
    private static final int ANSWER_TOKENS = 50;

    @TempDir
    Path folder;

    @Test
    void whatAnInstallationDoesIsCounted() throws Exception {
        ScaleBench.Options options = new ScaleBench.Options(
                List.of(1, 6), List.of(), List.of(2, 40), List.of(100_000), 30, RATE, 2, 6, ANSWER_TOKENS);
        List<ScalePoint> points = new ScaleBench(options, folder, line -> {}).run();
        assertThat(points)
                .extracting(ScalePoint::grows)
                .containsExactly(
                        Grows.LANES, Grows.LANES, Grows.FOLLOWERS, Grows.FOLLOWERS, Grows.COLD, Grows.LANE_TOKENS);
        for (ScalePoint point : points) {
            assertThat(point.jobCores()).isPositive();
            assertThat(point.jobHeapBytes()).isGreaterThan(10_000_000);
            assertThat(point.checkpointBytes()).isPositive();
            assertThat(point.announcedP50Millis()).isPositive();
            // A file for each flush of a shard, and one for what is announced.
            assertThat(point.putsPerSecond()).isGreaterThan(0.3);
            assertThat(point.putBytesPerSecond()).isGreaterThan(RATE * ANSWER_TOKENS);
            // Each answer goes there once, whole.
            assertThat(point.admittedBytesPerSecond()).isGreaterThan(0.5 * RATE * ANSWER_TOKENS);
            assertThat(point.snapshotsBytesPerSecond()).isPositive();
            assertThat(point.followerBytesPerSecond() > 0).isEqualTo(point.followers() > 0);
            assertThat(point.followerRequestsPerSecond() > 0).isEqualTo(point.followers() > 0);
        }
        assertThat(points.get(1).putsPerSecond()).isGreaterThan(points.get(0).putsPerSecond());
    }
}
