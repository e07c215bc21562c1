package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.MODELS;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.operators.store.TaskFolder;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.Retention;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What merges keep of the store's files on this disk. */
final class SegmentMergeTest {
    private static final long SEED = 20_261_208L;
    private static final long ROOM = 1 << 20;
    private static final int SEGMENTS = 4;

    @TempDir
    Path folder;

    private final List<LiveSegment> segments = new ArrayList<>();
    private Fetches store;
    private TaskFolder scratch;

    /** Writes down what is fetched. */
    private static final class Fetches implements DurableStore {
        private final DurableStore behind;
        private final List<String> paths = new ArrayList<>();
        private Callable<Boolean> afterFetch = () -> true;
        private boolean away;

        Fetches(DurableStore behind) {
            this.behind = behind;
        }

        @Override
        public void put(Path localFile, String path, String sha256) throws IOException {
            behind.put(localFile, path, sha256);
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            synchronized (paths) {
                paths.add(path);
            }
            behind.fetch(path, localFile);
            try {
                afterFetch.call();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }

        @Override
        public void delete(String path) throws IOException {
            if (away) {
                throw new IOException("the store is away");
            }
            behind.delete(path);
        }

        @Override
        public List<StoredFile> list(String path) throws IOException {
            return behind.list(path);
        }
    }

    @BeforeEach
    void fourSegments() throws Exception {
        store = new Fetches(FlinkFileStore.factory(folder.toUri()).open());
        scratch = TaskFolder.create(folder.resolve("scratch").toString(), "merges");
        for (int i = 0; i < SEGMENTS; i++) {
            segments.add(Arrivals.segment(folder, generation(LANE, i, "request-" + i, i, 1, 2, 3 + i)));
        }
    }

    @AfterEach
    void close() throws Exception {
        scratch.close();
    }

    private SegmentMerge merges(long bytesMax) throws IOException {
        return SegmentMerge.create(MODELS, store, scratch, bytesMax, MergeHeap.ofThisProcess());
    }

    private static MergePlan plan(List<LiveSegment> inputs) {
        return new MergePlan(MergePlan.Kind.OLDER, LANE, inputs, List.of(), null, Retention.everything(), 0, 0);
    }

    private List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.walk(scratch.root())) {
            return files.filter(file -> file.toString().endsWith(".segment")
                            || file.toString().endsWith(".sidecar"))
                    .toList();
        }
    }

    /** One that does not give it back leaves none for the next. */
    @Test
    @Timeout(60)
    void aMergeTakesItsRoomInTheHeapAndGivesItBack() throws Exception {
        MergePlan plan = plan(segments);
        long bytes = MergeHeap.bytes(plan.inputs());
        SegmentMerge crowded = SegmentMerge.create(MODELS, store, scratch, ROOM, new MergeHeap(bytes));
        assertThatThrownBy(() -> crowded.run(plan))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("MiB of heap, and merges may take");
        SegmentMerge fits = SegmentMerge.create(MODELS, store, scratch, ROOM, new MergeHeap(8 * (bytes + 1_024)));
        for (int i = 0; i < 3; i++) {
            assertThat(fits.run(plan).merged()).isNotNull();
        }
    }

    @Test
    @Timeout(60)
    void aMergeThatFindsNoFolderGivesItsRoomBackToo() throws Exception {
        List<AdmittedGeneration> waiting = List.of(generation(LANE, 0, "request", 1, 1, 2, 3));
        MergePlan fold =
                new MergePlan(MergePlan.Kind.FOLD, LANE, List.of(), waiting, null, Retention.everything(), 0, 0);
        MergeHeap heap = new MergeHeap(8 * (MergeHeap.bytes(fold) + 1_024));
        SegmentMerge merges = SegmentMerge.create(MODELS, store, scratch, ROOM, heap);
        putAFileInPlaceOfTheScratchFolder();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> merges.run(fold)).isInstanceOf(IOException.class);
        }
        Files.delete(scratch.root());
        assertThat(merges.run(fold).merged()).isNotNull();
    }

    private void putAFileInPlaceOfTheScratchFolder() throws IOException {
        TaskFolder.remove(scratch.root());
        Files.writeString(scratch.root(), "somebody else's");
    }

    /** The store has the files: none is lost for that. */
    @Test
    void aScratchFolderThatIsRemovedIsNoLostFile() throws Exception {
        SegmentMerge merges = merges(ROOM);
        merges.run(plan(segments));
        TaskFolder.remove(scratch.root());
        assertThat(merges.run(plan(segments)).merged().liveTokens()).isEqualTo(3 * SEGMENTS);
        putAFileInPlaceOfTheScratchFolder();
        assertThatThrownBy(() -> merges.run(plan(segments)))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SegmentMerge.UnreadableFileException.class);
        Files.delete(scratch.root());
    }

    @Test
    void whatWasFetchedOrMergedOnceIsNotFetchedAgain() throws Exception {
        SegmentMerge merges = merges(ROOM);
        StoredSegment merged = merges.run(plan(segments)).merged();
        assertThat(store.paths).hasSize(2 * SEGMENTS).doesNotHaveDuplicates();
        LiveSegment output = new LiveSegment(merged, 0, 0, 0, 0);
        assertThat(merges.run(plan(List.of(output, segments.get(0)))).merged().liveTokens())
                .isEqualTo(3 * SEGMENTS + 3);
        assertThat(store.paths).hasSize(2 * SEGMENTS);
    }

    @Test
    void whereThereIsNoRoomOnlyWhatIsInUseStays() throws Exception {
        SegmentMerge merges = merges(0);
        assertThat(merges.run(plan(segments)).merged().liveTokens()).isEqualTo(3 * SEGMENTS);
        assertThat(copies()).isEmpty();
        merges.run(plan(segments));
        assertThat(store.paths).hasSize(4 * SEGMENTS);
    }

    @Test
    void aCopyGoesWithTheStoresFile() throws Exception {
        SegmentMerge merges = merges(ROOM);
        merges.run(plan(segments));
        assertThat(copies()).hasSize(2 * SEGMENTS + 2);
        StoredSegment gone = segments.get(2).stored();
        assertThat(merges.remove(gone.path())).isTrue();
        assertThat(merges.remove(gone.sidecarPath())).isTrue();
        assertThat(folder.resolve(gone.path())).doesNotExist();
        assertThat(copies())
                .hasSize(2 * SEGMENTS)
                .noneMatch(copy -> copy.getFileName().toString().startsWith(gone.sha256()));
    }

    /** What a process was writing when it was killed has a name of its own, and no copy. */
    @Test
    void whatIsNoSegmentGoesToo() throws Exception {
        SegmentMerge merges = merges(ROOM);
        Path beside = folder.resolve(segments.get(0).stored().path()).getParent();
        for (String left : List.of(
                "." + segments.get(0).stored().sha256() + ".segment.4f0c1b7e.tmp",
                ".nfs000000000012",
                "README",
                "x.segment")) {
            Files.writeString(beside.resolve(left), "half");
            String path = folder.relativize(beside.resolve(left)).toString();
            assertThat(merges.remove(path)).as(left).isTrue();
            assertThat(beside.resolve(left)).doesNotExist();
        }
    }

    /** The store is away before the file is removed: the next sweep finds it there, and it does not stay on this disk. */
    @Test
    void aCopyGoesThoughTheStoreIsAway() throws Exception {
        SegmentMerge merges = merges(ROOM);
        merges.run(plan(segments));
        StoredSegment gone = segments.get(2).stored();
        store.away = true;
        assertThatThrownBy(() -> merges.remove(gone.path())).isInstanceOf(IOException.class);
        assertThat(folder.resolve(gone.path())).exists();
        assertThat(copies()).noneMatch(copy -> copy.toString().endsWith(gone.sha256() + ".segment"));
    }

    @Test
    void aFileThatAMergeUsesStays() throws Exception {
        SegmentMerge merges = merges(ROOM);
        StoredSegment used = segments.get(0).stored();
        List<Boolean> removed = new ArrayList<>();
        store.afterFetch = () -> removed.add(merges.remove(used.path()));
        assertThat(merges.run(plan(segments)).merged().liveTokens()).isEqualTo(3 * SEGMENTS);
        assertThat(removed).hasSize(2 * SEGMENTS).containsOnly(false);
        assertThat(merges.remove(used.path())).isTrue();
    }

    @Test
    void aDamagedStoredFileIsRefusedUntilItIsWhole() throws Exception {
        SegmentMerge merges = merges(ROOM);
        Path stored = folder.resolve(segments.get(1).stored().sidecarPath());
        byte[] whole = Files.readAllBytes(stored);
        Files.write(stored, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> merges.run(plan(segments)))
                .isInstanceOf(SegmentMerge.UnreadableFileException.class)
                .hasCauseInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining(segments.get(1).stored().sidecarPath());
        Files.write(stored, whole);
        assertThat(merges.run(plan(segments)).merged().liveTokens()).isEqualTo(3 * SEGMENTS);
    }

    @Test
    void aDamagedLocalCopyIsFetchedAnewAtTheNextAttempt() throws Exception {
        SegmentMerge merges = merges(ROOM);
        merges.run(plan(segments));
        for (Path copy : copies()) {
            Files.write(copy, new byte[] {1, 2, 3});
        }
        assertThatThrownBy(() -> merges.run(plan(segments))).isInstanceOf(CorruptSegmentException.class);
        assertThat(merges.run(plan(segments)).merged().liveTokens()).isEqualTo(3 * SEGMENTS);
    }

    /** As where its disk fails below a file that is mapped: nothing is put that was merged from it. */
    @Test
    void aCopyThatCannotBeReadAnyMoreIsFetchedAnewAtTheNextAttempt() throws Exception {
        SegmentMerge merges = merges(ROOM);
        AtomicInteger asked = new AtomicInteger();
        Retention cuts = new Retention(Long.MIN_VALUE, Long.MAX_VALUE, generation -> {
            if (asked.incrementAndGet() == SEGMENTS) {
                cutSegments();
            }
            return false;
        });
        MergePlan plan = new MergePlan(MergePlan.Kind.OLDER, LANE, segments, List.of(), null, cuts, 0, 0);
        Set<String> before = stored();
        assertThatThrownBy(() -> merges.run(plan))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining("not what was written");
        assertThat(stored()).isEqualTo(before);
        assertThat(merges.run(plan(segments)).merged().liveTokens()).isEqualTo(3 * SEGMENTS);
    }

    private void cutSegments() {
        try {
            for (Path copy : copies()) {
                if (copy.toString().endsWith(".segment")) {
                    Files.write(copy, new byte[0]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Set<String> stored() throws IOException {
        Set<String> paths = new TreeSet<>();
        store.list(Path.of(segments.get(0).stored().path()).getParent().toString())
                .forEach(file -> paths.add(file.path()));
        return paths;
    }

    /** Without room each merge evicts at its end; what others still read must stay. */
    @Test
    void mergesThatRunAtOnceTakeNoFilesFromEachOther() throws Exception {
        SegmentMerge merges = merges(0);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Boolean>> done = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Random random = new Random(SEED + i);
                done.add(threads.submit((Callable<Boolean>) () -> {
                    for (int merge = 0; merge < 40; merge++) {
                        List<LiveSegment> some = new ArrayList<>(segments);
                        some.remove(random.nextInt(SEGMENTS));
                        assertThat(merges.run(plan(some)).merged().liveTokens()).isEqualTo(3 * (SEGMENTS - 1));
                    }
                    return true;
                }));
            }
            for (Future<Boolean> one : done) {
                assertThat(one.get()).as("seed %d", SEED).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(copies()).isEmpty();
    }
}
