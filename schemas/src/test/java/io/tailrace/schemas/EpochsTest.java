package io.tailrace.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EpochsTest {
    private static final int SEEDS = 3_000;

    private static SnapshotManifest manifest(long version, long epoch) {
        SnapshotManifest manifest = SnapshotManifest.newBuilder(
                        (SnapshotManifest) Samples.all().get(RecordCodec.SNAPSHOT_MANIFEST))
                .build();
        manifest.setVersion(version);
        manifest.setEpoch(epoch);
        return manifest;
    }

    /** In whatever order announcements of several jobs are read, those stay that no later epoch stands at or below. */
    @Test
    void onlyWhatNoLaterEpochStandsBelowIsKept() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<SnapshotManifest> announced = new ArrayList<>();
            int count = random.nextInt(12);
            for (int i = 0; i < count; i++) {
                announced.add(manifest(1 + random.nextInt(15), random.nextInt(4)));
            }
            TreeMap<Long, Long> expected = new TreeMap<>();
            for (SnapshotManifest one : announced) {
                boolean stale = announced.stream()
                        .anyMatch(other -> other.getEpoch() > one.getEpoch() && other.getVersion() <= one.getVersion());
                if (!stale) {
                    expected.put(one.getVersion(), one.getEpoch());
                }
            }
            Collections.shuffle(announced, random);
            TreeMap<Long, SnapshotManifest> known = new TreeMap<>();
            announced.forEach(one -> Epochs.add(known, one));
            TreeMap<Long, Long> kept = new TreeMap<>();
            known.forEach((version, one) -> kept.put(version, one.getEpoch()));
            assertThat(kept).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void anEpochThatNoneCanFollowIsRefused() {
        Epochs.check(0);
        Epochs.check(Epochs.MAX);
        assertThatThrownBy(() -> Epochs.check(Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("epoch 9223372036854775807 is not in 0 to ");
        assertThatThrownBy(() -> Epochs.check(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
