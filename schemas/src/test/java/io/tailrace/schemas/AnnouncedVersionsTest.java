package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnnouncedVersionsTest {
    private static final int LIVES = 3_000;

    private static SnapshotManifest manifest(long version, long epoch) {
        SnapshotManifest manifest = SnapshotManifest.newBuilder(
                        (SnapshotManifest) Samples.all().get(RecordCodec.SNAPSHOT_MANIFEST))
                .build();
        manifest.setVersion(version);
        manifest.setEpoch(epoch);
        return manifest;
    }

    /** Those count that no later epoch stands at or below. */
    @Test
    void whatCountsFollowsFromWhatIsAnnouncedAndNotWithdrawn() {
        for (int seed = 0; seed < LIVES; seed++) {
            Random random = new Random(seed);
            AnnouncedVersions versions = new AnnouncedVersions();
            TreeMap<Long, Long> epochs = new TreeMap<>();
            for (int step = 0; step < 30; step++) {
                long version = 1L + random.nextInt(12);
                if (random.nextInt(3) == 0) {
                    SnapshotManifest withdrawn = versions.withdraw(version);
                    assertThat(withdrawn == null).isEqualTo(epochs.remove(version) == null);
                } else {
                    long epoch = random.nextInt(4);
                    epochs.merge(version, epoch, Math::max);
                    boolean counts = versions.announce(manifest(version, epoch));
                    assertThat(counts).isEqualTo(counts(version, epoch, epochs));
                }
                List<Long> expected = epochs.keySet().stream()
                        .filter(one -> counts(one, epochs.get(one), epochs))
                        .toList();
                assertThat(versions.counting().keySet())
                        .as("seed %d, step %d", seed, step)
                        .containsExactlyElementsOf(expected);
                assertThat(versions.counting().values())
                        .allMatch(one -> one.getEpoch() == epochs.get(one.getVersion()));
                assertThat(versions.all()).isEqualTo(epochs.keySet());
            }
        }
    }

    private static boolean counts(long version, long epoch, NavigableMap<Long, Long> epochs) {
        return epochs.headMap(version, true).values().stream().noneMatch(other -> other > epoch);
    }

    @Test
    void ofWhatDoesNotCountTheOldestIsForgotten() {
        AnnouncedVersions versions = new AnnouncedVersions();
        versions.announce(manifest(1, 2));
        for (long version = 2; version < 2_000; version++) {
            assertThat(versions.announce(manifest(version, 1))).isFalse();
        }
        versions.withdraw(1);
        assertThat(versions.counting()).hasSize(AnnouncedVersions.SUPERSEDED_MAX);
        assertThat(versions.counting().lastKey()).isEqualTo(1_999);
    }
}
