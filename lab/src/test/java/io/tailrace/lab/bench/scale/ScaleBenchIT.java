package io.tailrace.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.bench.scale.ScalePoint.Grows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small installations, counted: what must be there is there, and what must not differ does not. */
@Tag("full")
class ScaleBenchIT {
    private static final int RATE = 40;
    private static final int ANSWER_TOKENS = 50;

    private static final Duration SETTLE_MAX = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    @Test
    void whatAnInstallationDoesIsCounted() throws Exception {
        ScaleBench.Options options = new ScaleBench.Options(
                List.of(1, 6),
                List.of(),
                List.of(2, 40),
                List.of(100_000),
                30,
                RATE,
                2,
                6,
                ANSWER_TOKENS,
                SETTLE_MAX,
                Map.of());
        List<ScalePoint> points = new ArrayList<>();
        new ScaleBench(options, folder, points::add).run();
        assertThat(points)
                .extracting(ScalePoint::grows)
                .containsExactly(
                        Grows.LANES, Grows.LANES, Grows.FOLLOWERS, Grows.FOLLOWERS, Grows.COLD, Grows.LANE_TOKENS);
        for (ScalePoint point : points) {
            assertThat(point.jobCores()).isPositive();
            assertThat(point.jobHeapBytes()).isGreaterThan(10_000_000);
            assertThat(point.jobPeakResidentBytes()).isGreaterThan(point.jobHeapBytes());
            assertThat(point.checkpointBytes()).isPositive();
            assertThat(point.settled()).as(point.toString()).isTrue();
            assertThat(point.announcedP50Millis()).isPositive();
            // Two files for what is announced.
            assertThat(point.putsPerSecond()).isGreaterThan(0.3);
            assertThat(point.putBytesPerSecond()).isGreaterThan(RATE * ANSWER_TOKENS);
            // Each answer goes there once, whole.
            assertThat(point.admittedBytesPerSecond()).isGreaterThan(0.5 * RATE * ANSWER_TOKENS);
            assertThat(point.snapshotsBytesPerSecond()).isPositive();
            assertThat(point.followerBytesPerSecond() > 0).isEqualTo(point.followers() > 0);
            assertThat(point.followerKafkaBytesPerSecond())
                    .satisfies(bytes -> assertThat(bytes > 0.5 * point.admittedBytesPerSecond())
                            .isEqualTo(point.followers() > 0));
            assertThat(point.followerRequestsPerSecond() > 0).isEqualTo(point.followers() > 0);
        }
        assertThat(points.get(1).putsPerSecond()).isGreaterThan(points.get(0).putsPerSecond());
    }

    @Test
    void theJobTakesOptions() throws Exception {
        assertThat(putsPerSecond("5000")).isLessThan(0.7 * putsPerSecond("1000"));
    }

    /** A lane is folded for an announcement, and that waits for a checkpoint. */
    private double putsPerSecond(String checkpointMillis) throws Exception {
        ScaleBench.Options options = new ScaleBench.Options(
                List.of(1),
                List.of(),
                List.of(),
                List.of(),
                0,
                RATE,
                5,
                10,
                ANSWER_TOKENS,
                SETTLE_MAX,
                Map.of("checkpoint-millis", checkpointMillis));
        List<ScalePoint> points = new ArrayList<>();
        new ScaleBench(options, Files.createDirectory(folder.resolve(checkpointMillis)), points::add).run();
        return points.get(0).putsPerSecond();
    }

    @Test
    void aPointThatDoesNotSettleIsMarkedAndTheOthersAreMeasured() throws Exception {
        ScaleBench.Options options = new ScaleBench.Options(
                List.of(1, 2), List.of(), List.of(), List.of(), 0, RATE, 1, 3, ANSWER_TOKENS, Duration.ZERO, Map.of());
        List<ScalePoint> points = new ArrayList<>();
        new ScaleBench(options, folder, points::add).run();
        assertThat(points).hasSize(2).allSatisfy(point -> {
            assertThat(point.settled()).isFalse();
            assertThat(point.jobCores()).isPositive();
        });
    }
}
