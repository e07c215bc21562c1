package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static io.tailrace.client.follow.internal.Manifests.manifestOf;
import static io.tailrace.client.follow.internal.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.Compaction.Input;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithdrawnFilesTest {
    private static final long SEED = 20_261_122L;
    private static final long LATER = WithdrawnFiles.SWEEP_MILLIS;

    @TempDir
    Path store;

    @TempDir
    Path cache;

    private ServedLanes lanes;
    private ServedLane lane;
    private SnapshotLoader loader;
    private WithdrawnFiles files;
    private long now;

    @BeforeEach
    void start() throws IOException {
        lanes = new ServedLanes(MODEL, FollowOptions.of(store.toUri(), cache), 0);
        lane = lanes.ofRequest(LANE.scope());
        loader = SnapshotLoader.create(MODEL, SegmentStore.at(store.toUri()), cache, 1L << 30);
        files = new WithdrawnFiles(lanes, loader, Runnable::run);
    }

    private void announce(SnapshotManifest manifest) {
        lane.announce(manifest, now, 0);
    }

    private void load() throws Exception {
        SnapshotManifest next = lane.nextLoad(now).orElseThrow();
        lane.loaded(loader.load(next, null), now);
    }

    private void withdraw(long version) {
        files.add(lane, lane.retract(version, now));
        files.tidy(now);
    }

    private Path cached(SegmentReference segment) {
        return cache.resolve(segment.getSha256() + ".segment");
    }

    private static void age(Path file, Duration age) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    }

    @Test
    void aFileThatARequestDraftsFromGoesWithItsLastLease() throws Exception {
        SegmentReference deleted = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        announce(manifestOf(10, deleted));
        load();
        LoadedSnapshot lease = lane.live().lease();
        announce(manifestOf(20));
        load();
        withdraw(10);
        assertThat(cached(deleted)).as("in use").exists();
        lease.release();
        files.tidy(now);
        assertThat(cached(deleted)).doesNotExist();
    }

    @Test
    void twoVersionsThatShareAFileKeepItUntilBothAreWithdrawn() throws Exception {
        SegmentReference shared = segment(store, SegmentRole.OLDER, 1, 2, 3);
        announce(manifestOf(10, shared));
        load();
        announce(manifestOf(20, shared));
        announce(manifestOf(30));
        load();
        withdraw(10);
        assertThat(cached(shared)).exists();
        files.tidy(now + LATER);
        assertThat(cached(shared)).as("nor does a sweep take it").exists();
        withdraw(20);
        assertThat(cached(shared)).doesNotExist();
    }

    @Test
    void aFileThatIsBeingLoadedWhileItsVersionIsWithdrawnGoesWhenItHasCome() throws Exception {
        SegmentReference late = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        announce(manifestOf(10, late));
        SnapshotManifest loading = lane.nextLoad(now).orElseThrow();
        withdraw(10);
        LoadedSnapshot loaded = loader.load(loading, null);
        files.tidy(now);
        assertThat(cached(late)).exists();
        lane.loaded(loaded, now);
        assertThat(lane.live().version()).as("nobody wants it any more").isZero();
        files.tidy(now);
        assertThat(cached(late)).doesNotExist();
    }

    /** Killed between the withdrawal and the deletion, or withdrawn while the worker was down: the next process knows of no such version. */
    @Test
    void theNextProcessDeletesWhatAKilledOneLeftBehind() throws Exception {
        SegmentReference deleted = segment(store, SegmentRole.OLDER, 1, 2, 3);
        SegmentReference kept = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        announce(manifestOf(10, deleted, kept));
        load();
        start();
        announce(manifestOf(20, kept));
        files.tidy(now);
        assertThat(cached(deleted))
                .as("another worker may have heard sooner of what names it")
                .exists();
        age(cached(deleted), Duration.ofMinutes(2));
        age(cached(kept), Duration.ofMinutes(2));
        files.tidy(now + LATER);
        assertThat(cached(deleted)).doesNotExist();
        assertThat(cached(kept)).exists();
    }

    @Test
    void aSweepLeavesOtherModelsFilesAndDownloadsUnderWayAndTakesWhatCannotBeRead() throws Exception {
        Path foreign = foreignFile();
        Path damaged = Files.write(cache.resolve("0".repeat(64) + ".segment"), new byte[] {1, 2, 3});
        Path empty = Files.write(cache.resolve("1".repeat(64) + ".segment"), new byte[0]);
        Path under = Files.write(cache.resolve("2".repeat(64) + "-x.download"), new byte[] {1});
        Path given = Files.write(cache.resolve("3".repeat(64) + "-x.download"), new byte[] {1});
        for (Path file : List.of(foreign, damaged, empty)) {
            age(file, Duration.ofMinutes(2));
        }
        age(given, Duration.ofMinutes(11));
        files.tidy(now);
        files.tidy(now + LATER);
        assertThat(foreign).exists();
        assertThat(under).exists();
        assertThat(List.of(damaged, empty, given)).noneMatch(Files::exists);
    }

    /** Of a model that is served here no more: what it holds may have been deleted, and nobody else would notice. */
    @Test
    void aSweepTakesOtherModelsFilesThatNobodyHasUsedForADay() throws Exception {
        SegmentReference used = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        announce(manifestOf(10, used));
        load();
        Path foreign = foreignFile();
        for (Path file : List.of(foreign, cached(used))) {
            age(file, Duration.ofHours(23));
        }
        files.tidy(now);
        assertThat(foreign).exists();
        for (Path file : List.of(foreign, cached(used))) {
            age(file, Duration.ofHours(25));
        }
        files.tidy(now + LATER);
        assertThat(foreign).doesNotExist();
        assertThat(cached(used)).exists();
        assertThat(Files.getLastModifiedTime(cached(used)).toInstant())
                .as("who shares the folder sees that it is in use")
                .isAfter(Instant.now().minus(Duration.ofHours(1)));
    }

    /** What else lies there may have been deleted. */
    @Test
    void whatCanBeNeitherReadNorDeletedKeepsNothingElseFromGoing() throws Exception {
        List<Path> strays = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            Path stray = cache.resolve("%064x.segment".formatted(i));
            if (i % 8 == 3) {
                Files.writeString(Files.createDirectory(stray).resolve("mine"), "not a segment");
            } else {
                strays.add(Files.write(stray, new byte[] {1, 2, 3}));
            }
            age(stray, Duration.ofMinutes(2));
        }
        files.tidy(now);
        assertThat(strays).noneMatch(Files::exists);
    }

    @Test
    void aClockThatWasPutBackStopsNoSweep() throws Exception {
        now = Duration.ofDays(2).toMillis();
        files.tidy(now);
        Path stray = Files.write(cache.resolve("0".repeat(64) + ".segment"), new byte[] {1, 2, 3});
        age(stray, Duration.ofMinutes(2));
        files.tidy(now + 1);
        assertThat(stray).as("not before a minute is over").exists();
        files.tidy(now - Duration.ofDays(1).toMillis());
        assertThat(stray).doesNotExist();
    }

    @Test
    void whatWasStampedByAClockThatWasAheadIsNotYoung() throws Exception {
        Path file = Files.write(cache.resolve("0".repeat(64) + ".segment"), new byte[] {1});
        Path given = Files.write(cache.resolve("1".repeat(64) + "-x.download"), new byte[] {1});
        Path used = Files.write(cache.resolve("2".repeat(64) + ".segment"), new byte[] {1});
        Path under = Files.write(cache.resolve("3".repeat(64) + "-x.download"), new byte[] {1});
        age(file, Duration.ofDays(-1));
        age(given, Duration.ofDays(-1));
        age(used, Duration.ofSeconds(-2));
        age(under, Duration.ofSeconds(-2));
        files.tidy(now);
        assertThat(List.of(file, given)).noneMatch(Files::exists);
        assertThat(List.of(used, under)).as("of a clock that is a little ahead").allMatch(Files::exists);
    }

    private Path foreignFile() throws IOException {
        SegmentIdentity other = new SegmentIdentity("other@1/s", 100, "tok");
        Path written = Compaction.flush(
                        List.of(new Input(new GenerationEntry(1, 2, "p", 1_000), new int[] {7, 8})), other, store)
                .files()
                .segment();
        return Files.copy(written, cache.resolve("4".repeat(64) + ".segment"));
    }

    /** The dull twin: a file is there while an announced version names it or somebody drafts from it, and had been loaded. */
    @Test
    void whatIsOnDiskIsWhatAnnouncedVersionsNameHoweverTheyComeAndGo() throws Exception {
        Random random = new Random(SEED);
        List<SegmentReference> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(segment(store, SegmentRole.OLDER, 1 + i, 20 + i));
        }
        TreeMap<Long, List<SegmentReference>> announced = new TreeMap<>();
        Set<SegmentReference> fetched = new HashSet<>();
        for (long version = 1; version <= 1_000; version++) {
            now++;
            List<SegmentReference> names = new ArrayList<>(all);
            names.removeIf(file -> random.nextInt(3) > 0);
            names = names.subList(0, Math.min(3, names.size()));
            announce(manifestOf(version, names.toArray(SegmentReference[]::new)));
            announced.put(version, names);
            if (random.nextBoolean()) {
                load();
                fetched.addAll(names);
            }
            while (announced.size() > 1 + random.nextInt(4)) {
                withdraw(announced.pollFirstEntry().getKey());
            }
            lane.nextLoad(now + 10_000).ifPresent(next -> fetched.addAll(loaded(next)));
            files.tidy(now);
            Set<SegmentReference> expected = new HashSet<>();
            announced.values().forEach(expected::addAll);
            fetched.retainAll(expected);
            for (SegmentReference file : all) {
                assertThat(Files.exists(cached(file)))
                        .as("seed %d version %d, %s", SEED, version, file.getPath())
                        .isEqualTo(fetched.contains(file));
            }
        }
    }

    private List<SegmentReference> loaded(SnapshotManifest manifest) {
        try {
            lane.loaded(loader.load(manifest, null), now);
            return manifest.getSegments();
        } catch (IOException | SnapshotLoader.RefusedException e) {
            throw new IllegalStateException(e);
        }
    }
}
