package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.SnapshotManifest;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random lives of a lane at a worker, without commands: whatever is announced, withdrawn or cannot be loaded for a while or ever, the best that can be served ends up live. */
final class VersionLoadsTest {
    private static final int LIVES = 4_000;
    private static final int EVENTS = 40;

    @Test
    void theNewestThatCountsAndLoadsGoesLive() {
        for (int seed = 0; seed < LIVES; seed++) {
            Life life = new Life(seed);
            for (int i = 0; i < EVENTS; i++) {
                life.event();
            }
            life.settle();
        }
    }

    /** Epochs by version are all that is announced; every sixth version is refused, and the files of others, or the whole store, are away at times. */
    private static final class Life {
        private final int seed;
        private final Random random;
        private final VersionLoads loads = new VersionLoads();
        private final TreeMap<Long, Long> announced = new TreeMap<>();
        private final Set<Long> away = new HashSet<>();
        private boolean storeAway;
        private long now = 1_000;
        private long live;

        Life(int seed) {
            this.seed = seed;
            random = new Random(seed);
        }

        void event() {
            switch (random.nextInt(7)) {
                case 0, 1 -> announce(1 + random.nextInt(60));
                case 2 -> withdraw();
                case 3 -> look();
                case 4 -> storeAway = random.nextInt(3) == 0;
                case 5 -> leaveOrComeBack(1 + random.nextInt(60));
                default -> now += random.nextInt(3_000) - 200;
            }
            loads.nextAtMillis(live);
            look();
        }

        private void announce(long version) {
            if (announced.containsKey(version)) {
                return;
            }
            announced.put(version, (long) random.nextInt(2));
            SnapshotManifest manifest = manifest(version);
            manifest.setEpoch(announced.get(version));
            assertThat(loads.announce(manifest, live, now)).as("seed %d", seed).isEqualTo(counts(version));
        }

        private void withdraw() {
            if (!announced.isEmpty()) {
                Long[] versions = announced.keySet().toArray(Long[]::new);
                long version = random.nextBoolean() && announced.containsKey(live)
                        ? live
                        : versions[random.nextInt(versions.length)];
                announced.remove(version);
                loads.retract(version, live, now);
            }
        }

        private void leaveOrComeBack(long version) {
            if (!away.remove(version)) {
                away.add(version);
            }
        }

        /** Begins a load, or ends the one under way, as the follower does. */
        private void look() {
            if (loads.mustUnload(now)) {
                live = 0;
                loads.unloaded();
            }
            SnapshotManifest loading = loads.loading() == null ? loads.next(live, now) : loads.loading();
            if (loading == null || random.nextInt(3) == 0) {
                return;
            }
            long version = loading.getVersion();
            if (!loadable(version)) {
                loads.failed(version, !refused(version), now);
            } else if (loads.loaded(version, live)) {
                assertThat(counts(version))
                        .as("seed %d: version %d went live", seed, version)
                        .isTrue();
                assertThat(version > live || !counts(live))
                        .as("seed %d: %d took the place of %d", seed, version, live)
                        .isTrue();
                live = version;
            }
        }

        private static boolean refused(long version) {
            return version % 6 == 3;
        }

        private boolean loadable(long version) {
            return !refused(version) && !storeAway && !away.contains(version);
        }

        /** The dull rule: none that is not above it is of a later epoch. */
        private boolean counts(long version) {
            return announced.containsKey(version)
                    && announced.headMap(version).values().stream().allMatch(epoch -> epoch <= announced.get(version));
        }

        void settle() {
            storeAway = false;
            away.removeIf(version -> random.nextBoolean());
            long before = live;
            boolean withdrawn = loads.isWithdrawn();
            for (int i = 0; i < 400; i++) {
                now += 3_000;
                look();
            }
            long best = announced.keySet().stream()
                    .filter(version -> counts(version) && (loadable(version) || version == before))
                    .reduce(0L, Math::max);
            long left = withdrawn ? 0 : before;
            assertThat(live)
                    .as("seed %d: of %s, %d was live", seed, announced, before)
                    .isEqualTo(best == 0 ? left : best);
        }
    }
}
