package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.LANE;
import static io.tailrace.client.follow.internal.Manifests.MODEL;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static io.tailrace.client.follow.internal.Manifests.manifestOf;
import static io.tailrace.client.follow.internal.Manifests.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.Policy;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SegmentRole;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.suffix.snapshot.SegmentOpener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotLoaderTest {
    @TempDir
    Path folder;

    private Path store;
    private Path cache;
    private CountingOpener opener;
    private SnapshotLoader loader;

    @BeforeEach
    void open() throws IOException {
        store = Files.createDirectories(folder.resolve("store"));
        cache = folder.resolve("cache");
        opener = new CountingOpener();
        loader = loader(Long.MAX_VALUE);
    }

    @Test
    void loadedSnapshotFindsWhatItsSegmentsHold() throws Exception {
        SegmentReference older = segment(store, SegmentRole.OLDER, 1, 2, 3);
        SegmentReference newest = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        LoadedSnapshot snapshot = loader.load(manifestOf(7, older, newest), null);
        assertThat(snapshot.version()).isEqualTo(7);
        assertThat(next(snapshot.index().older().get(0), 1)).isEqualTo(2);
        assertThat(next(snapshot.index().newest(), 4)).isEqualTo(5);
        assertThat(opener.mapped()).isEqualTo(2);
        snapshot.release();
        assertThat(opener.mapped()).isZero();
    }

    @Test
    void segmentsSharedBySuccessiveSnapshotsAreMappedOnce() throws Exception {
        SegmentReference older = segment(store, SegmentRole.OLDER, 1, 2, 3);
        LoadedSnapshot first = loader.load(manifestOf(7, older), null);
        LoadedSnapshot second = loader.load(manifestOf(8, older, segment(store, SegmentRole.NEWEST, 4, 5)), null);
        assertThat(second.index().older().get(0)).isSameAs(first.index().older().get(0));
        first.release();
        assertThat(next(second.index().older().get(0), 1)).isEqualTo(2);
        second.release();
        assertThat(opener.mapped()).isZero();
    }

    @Test
    void fileVerifiedBeforeIsReopenedByTheNextProcess() throws Exception {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        loader.load(manifestOf(7, reference), null).release();
        assertThat(opener.verified).isEqualTo(1);
        Files.delete(store.resolve(reference.getPath()));
        loader(Long.MAX_VALUE).load(manifestOf(7, reference), null).release();
        assertThat(opener.verified).as("not downloaded, not verified again").isEqualTo(1);
    }

    @Test
    void damagedDownloadIsRefusedAndLeavesNothingBehind() throws IOException {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        Path file = store.resolve(reference.getPath());
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> loader.load(manifestOf(7, reference), null))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining(reference.getSha256());
        assertThat(cache).isEmptyDirectory();
        assertThat(opener.mapped()).isZero();
    }

    /** A number in the section of the documents' starts, which no opening looks at. */
    @Test
    void aSegmentThatRottedOnThisDiskIsFetchedAgain() throws Exception {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        loader.load(manifestOf(7, reference), null).release();
        Path cached = cache.resolve(reference.getSha256() + ".segment");
        byte[] bytes = Files.readAllBytes(cached);
        int starts = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(104 + 4 * 24 + 8);
        bytes[starts + 7] ^= 0x40;
        Files.write(cached, bytes);
        LoadedSnapshot snapshot = loader(Long.MAX_VALUE).load(manifestOf(7, reference), null);
        assertThat(next(snapshot.index().newest(), 1)).isEqualTo(2);
        assertThat(cached).hasSameBinaryContentAs(store.resolve(reference.getPath()));
        snapshot.release();
        assertThat(opener.mapped()).isZero();
    }

    @Test
    void aSnapshotThatCannotBeIndexedLeavesNothingMapped() throws IOException {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        opener.counts = false;
        assertThatThrownBy(() -> loader.load(manifestOf(7, reference), null)).hasMessage("it cannot be counted");
        assertThat(opener.mapped()).isZero();
        assertThat(loader.forget(reference.getSha256())).isTrue();
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void truncatedAndMissingFilesAreRefused() throws IOException {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        Path file = store.resolve(reference.getPath());
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));
        assertThatThrownBy(() -> loader.load(manifestOf(7, reference), null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has 100 bytes");
        Files.delete(file);
        assertThatThrownBy(() -> loader.load(manifestOf(7, reference), null)).isInstanceOf(IOException.class);
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void segmentOfAnotherLaneOrTokenizerIsRefused() throws IOException {
        ServedModel other = new ServedModel("m", "1", 100, "other tokenizer");
        SegmentReference foreign = segment(store, SegmentRole.NEWEST, other, 1, 2, 3);
        assertThatThrownBy(() -> loader.load(manifestOf(7, foreign), null)).isInstanceOf(CorruptSegmentException.class);
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void segmentOfAnotherLaneIsRefusedAlsoWhileItsOwnLaneHasItMapped() throws Exception {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        LoadedSnapshot own = loader.load(manifestOf(7, reference), null);
        SnapshotManifest foreign = manifestOf(8, reference);
        foreign.setLane(MODEL.lane("another scope").toLane());
        assertThatThrownBy(() -> loader.load(foreign, null))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining("belongs elsewhere");
        own.release();
        assertThat(opener.mapped()).isZero();
    }

    @Test
    void discardedFilesAreFetchedAndVerifiedByTheNextProcess() throws Exception {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        LoadedSnapshot snapshot = loader.load(manifestOf(7, reference), null);
        snapshot.discardFiles();
        assertThat(cache).isEmptyDirectory();
        snapshot.release();
        loader(Long.MAX_VALUE).load(manifestOf(7, reference), null).release();
        assertThat(opener.verified).isEqualTo(2);
    }

    @Test
    void failureAtTheSecondSegmentUnmapsTheFirst() throws IOException {
        SegmentReference good = segment(store, SegmentRole.OLDER, 1, 2, 3);
        SegmentReference gone = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        Files.delete(store.resolve(gone.getPath()));
        assertThatThrownBy(() -> loader.load(manifestOf(7, good, gone), null)).isInstanceOf(IOException.class);
        assertThat(opener.mapped()).isZero();
    }

    @Test
    void fileDamagedInTheCacheIsFetchedAgain() throws Exception {
        SegmentReference reference = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        loader.load(manifestOf(7, reference), null).release();
        Path cached = cache.resolve(reference.getSha256() + ".segment");
        Files.write(cached, new byte[10]);
        LoadedSnapshot again = loader.load(manifestOf(7, reference), null);
        assertThat(next(again.index().newest(), 1)).isEqualTo(2);
        again.release();
    }

    @Test
    void cacheIsEvictedDownToItsBoundButWhatIsMapped() throws Exception {
        loader = loader(1);
        SegmentReference used = segment(store, SegmentRole.NEWEST, 1, 2, 3);
        SegmentReference unused = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        LoadedSnapshot snapshot = loader.load(manifestOf(7, used), null);
        loader.load(manifestOf(8, unused), null).release();
        loader.evict();
        assertThat(cache.resolve(used.getSha256() + ".segment")).exists();
        assertThat(cache.resolve(unused.getSha256() + ".segment")).doesNotExist();
        snapshot.release();
    }

    @Test
    void manifestOfAnotherTokenizerVocabularyOrShapeIsRefused() throws IOException {
        SnapshotManifest tokenizer = manifest(7);
        tokenizer.setTokenizerFingerprint("other");
        refused(tokenizer, "expected tokenizer tok, got other");
        SnapshotManifest vocabulary = manifest(7);
        vocabulary.setVocabularySize(101);
        refused(vocabulary, "expected vocabulary size 100, got 101");
        SegmentReference newest = segment(store, SegmentRole.NEWEST, 1, 2);
        refused(manifestOf(7, newest, newest), "2 segments, 2 newest");
        SnapshotManifest lane = manifest(7);
        lane.getLane().setModel("n");
        refused(lane, "expected lane of m@1, got n@1/s");
        SnapshotManifest weights = manifest(7);
        weights.setPolicy(new Policy(true, 16, 0f, Mixer.LAYOUT, List.of(1f), List.of(), 0L, Instant.EPOCH, 0L));
        refused(weights, "weights of mixer layout");
    }

    @Test
    void loadsAndReleasesOfManyThreadsMapEachSegmentOnceAndUnmapItInTheEnd() throws Exception {
        SegmentReference one = segment(store, SegmentRole.OLDER, 1, 2, 3);
        SegmentReference two = segment(store, SegmentRole.NEWEST, 4, 5, 6);
        AtomicInteger wrong = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            SnapshotManifest manifest = t % 2 == 0 ? manifestOf(7, one, two) : manifestOf(8, one);
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    wrong.addAndGet(loadAndRead(manifest) == 2 ? 0 : 1);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).hasValue(0);
        assertThat(opener.mapped()).isZero();
    }

    private int loadAndRead(SnapshotManifest manifest) {
        try {
            LoadedSnapshot snapshot = loader.load(manifest, null);
            int token = next(snapshot.index().older().get(0), 1);
            snapshot.release();
            return token;
        } catch (IOException | SnapshotLoader.RefusedException e) {
            return -1;
        }
    }

    @Test
    void policyBeyondItsLimitsIsClamped() throws Exception {
        SnapshotManifest manifest = manifest(7);
        manifest.setPolicy(
                new Policy(true, 1_000, 3f, 99, Collections.nCopies(5, 1f), List.of(), 0L, Instant.EPOCH, 0L));
        DraftPolicy policy = loader.load(manifest, null).policy();
        assertThat(policy.budgetMax()).isEqualTo(DraftPolicy.BUDGET_MAX);
        assertThat(policy.probabilityFloor()).isEqualTo(1f);
        assertThat(policy.weightsLayout()).isEqualTo(99);
    }

    @Test
    void aFloorThatIsNoNumberIsTheDefaultOne() throws Exception {
        SnapshotManifest manifest = manifest(7);
        manifest.getPolicy().setProbabilityFloor(Float.NaN);
        DraftPolicy policy = loader.load(manifest, null).policy();
        assertThat(policy).isEqualTo(DraftPolicy.defaults());
    }

    private void refused(SnapshotManifest manifest, String because) {
        assertThatThrownBy(() -> loader.load(manifest, null))
                .isInstanceOf(SnapshotLoader.RefusedException.class)
                .hasMessageContaining("snapshot 7 refused")
                .hasMessageContaining(because);
    }

    private SnapshotLoader loader(long cacheBytesMax) throws IOException {
        return new SnapshotLoader(MODEL, SegmentStore.at(store.toUri()), cache, cacheBytesMax, opener);
    }

    /** The token after the longest match of a context of one token. */
    private static int next(OccurrenceIndex index, int token) {
        Occurrences found = new Occurrences();
        index.nearest(new int[] {token}, 1, 1, 0, found);
        assertThat(found.size()).as("occurrences in lane %s", LANE).isEqualTo(1);
        return found.text(0).token(found.position(0) + 1);
    }

    /** Real segments, counted. */
    private static final class CountingOpener implements SegmentOpener {
        private final SegmentOpener segments = SegmentOpener.segments();
        private int verified;
        private boolean counts = true;
        private final AtomicInteger mapped = new AtomicInteger();

        int mapped() {
            return mapped.get();
        }

        @Override
        public String verify(Path file, SegmentIdentity expected) throws IOException {
            String sha256 = segments.verify(file, expected);
            countVerified();
            return sha256;
        }

        @Override
        public SegmentIdentity identity(Path file) throws IOException {
            return segments.identity(file);
        }

        @Override
        public SegmentOpener.Mapped reopen(Path file, SegmentIdentity expected) throws IOException {
            return counted(segments.reopen(file, expected));
        }

        private synchronized void countVerified() {
            verified++;
        }

        private SegmentOpener.Mapped counted(SegmentOpener.Mapped segment) {
            mapped.incrementAndGet();
            return new SegmentOpener.Mapped(counts ? segment.index() : new Uncounted(), () -> {
                mapped.decrementAndGet();
                segment.unmap().run();
            });
        }
    }

    private static final class Uncounted implements OccurrenceIndex {
        @Override
        public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
            return 0;
        }

        @Override
        public void count(TokenCounts counts) {
            throw new IllegalStateException("it cannot be counted");
        }
    }
}
