package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.EvaluatedChoice;
import io.tailrace.schemas.EvaluationStatistics;
import io.tailrace.schemas.Lane;
import io.tailrace.schemas.LaneStatistics;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What {@code snapshots show} says of replays. */
final class VersionTextTest {
    private static final Instant AT = Instant.ofEpochMilli(1_790_000_000_123L);

    private static SnapshotManifest manifest(EvaluatedChoice... counted) {
        return manifest(10, AnnouncementCause.CADENCE, AT, counted);
    }

    /** One of lane toy@1/acme. */
    static SnapshotManifest manifest(
            long version, AnnouncementCause cause, Instant createdAt, EvaluatedChoice... counted) {
        return new SnapshotManifest(
                new Lane("toy", "1", "acme"),
                version,
                version - 1,
                createdAt,
                cause,
                1000,
                "toy-tokenizer",
                List.of(),
                new Policy(true, 16, 0.003f, 0, List.of(), List.of(), 3L, AT, 0L),
                new LaneStatistics(0L, 0L, 0L, 0L, 0L),
                List.of(),
                List.of(),
                new EvaluationStatistics(900L, 90_000L, 30_000L, 200_000L, 60_000L, List.of(counted)),
                null,
                null,
                0L);
    }

    /** The live figure on all 900 generations is 2; on those that the choice was counted on it is 1.2. */
    @Test
    void aChoiceStandsBesideTheLiveFigureOnTheSameGenerations() {
        SnapshotManifest manifest =
                manifest(new EvaluatedChoice("suffix-decoding", 5_000L, 9_000L, 4_000L, 100L, 4_000L, 4_800L));
        assertThat(VersionText.fields(manifest))
                .containsEntry("evaluated", 900L)
                .containsEntry("evaluated accepted/step", 2.0)
                .containsEntry(
                        "suffix-decoding accepted/step",
                        "0.8 against 1.2 live, tokens/step x 0.8, on the same 100 generations");
        assertThat(VersionJson.of(manifest).get("evaluated"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry(
                        "choices",
                        Map.of(
                                "suffix-decoding",
                                Map.of(
                                        "steps", 5_000L,
                                        "accepted", 4_000L,
                                        "generations", 100L,
                                        "liveSteps", 4_000L,
                                        "liveAccepted", 4_800L)));
    }
}
