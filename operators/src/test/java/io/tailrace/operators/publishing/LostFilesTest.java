package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.assertBalanced;
import static io.tailrace.operators.publishing.PublisherBench.only;
import static io.tailrace.operators.publishing.PublisherBench.tombstones;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.Samples;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that damages or loses a file costs a lane that file at most, and is not confused with one that is not there. */
final class LostFilesTest {
    private static final long SWEEPS = 150_000;
    private static final long SCRUBS = 20 * 60_000;

    @TempDir
    Path folder;

    private PublisherBench bench;
    private SnapshotManifest first;

    @BeforeEach
    void announceAVersion() throws Exception {
        bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        bench.arrive(0, generation("a", START, 1, 2, 3));
        bench.advance(1000);
        first = only(bench.manifests());
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    private Path segment() {
        return folder.resolve(first.getSegments().get(0).getPath());
    }

    private Path sidecar() throws Exception {
        return bench.storedFiles(LANE).stream()
                .filter(file -> file.toString().endsWith(".sidecar"))
                .max((left, right) -> Long.compare(
                        left.toFile().lastModified(), right.toFile().lastModified()))
                .orElseThrow();
    }

    private static void damage(Path file) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    /** The job begins anew: it has no copy of any file any more. */
    private void forgetCopies() throws Exception {
        bench.restore(bench.checkpoint());
        bench.advance(3000);
        last();
        bench.events();
    }

    @Test
    void whatADamagedSegmentHeldLeavesTheLaneWhichGoesOn() throws Exception {
        forgetCopies();
        damage(segment());
        bench.arrive(0, generation("b", bench.now(), 7, 8));
        bench.advance(40_000);

        List<PublisherBench.Published> published = bench.published();
        SnapshotManifest last = published.stream()
                .map(PublisherBench.Published::manifest)
                .filter(manifest -> manifest != null)
                .reduce((before, after) -> after)
                .orElseThrow();
        assertThat(bench.documents(last)).containsExactly("[7, 8]");
        assertThat(tombstones(published)).contains(LANE + "#" + first.getVersion());
        List<Event> events = bench.events();
        assertThat(events)
                .filteredOn(event -> event.getKind() == EventKind.SEGMENT_LOST)
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getMessage())
                            .contains(first.getSegments().get(0).getPath());
                    assertThat(event.getNumbers()).containsEntry("tokens", 3L);
                });
        Map<String, Long> numbers = numbers(events);
        assertThat(numbers).containsEntry("tokensLost", 3L).containsEntry("tokensLive", 2L);
        assertBalanced(numbers);
    }

    /** As where a disk or a mount is away: folds try it again after a second, and after three. */
    @Test
    void aFileThatIsAwayForSomeSecondsIsNotGivenUp() throws Exception {
        for (int time = 0; time < 3; time++) {
            forgetCopies();
            Path away = folder.resolve("away");
            Path newest = folder.resolve(last().getSegments().get(0).getPath());
            Files.move(newest, away);
            bench.arrive(0, generation("b" + time, bench.now(), 7, time));
            bench.advance(12_000);
            Files.move(away, newest);
            bench.advance(40_000);
            assertThat(bench.told(EventKind.SEGMENT_LOST)).isEmpty();
        }
        assertThat(bench.documents(last())).containsExactly("[1, 2, 3]", "[7, 0]", "[7, 1]", "[7, 2]");
    }

    /** Damage that is seen now and then, with good readings between, is that of the reading. */
    @Test
    void aGoodReadingBeginsTheCountAnew() {
        LaneWork work = new LaneWork(
                LANE,
                PublishingOptions.defaults(),
                Samples.MODELS,
                new CheckpointRhythm(),
                WaitingRoom.ofThisProcess(),
                new UnregisteredMetricsGroup());
        for (int day = 0; day < 9; day++) {
            assertThat(work.files.isGivenUp("a", day * 86_400_000L)).isFalse();
            work.files.readable("a");
        }
        assertThat(work.files.isGivenUp("a", 0)).isFalse();
        assertThat(work.files.isGivenUp("a", 1)).isFalse();
        assertThat(work.files.isGivenUp("a", 2)).as("within a moment").isFalse();
        assertThat(work.files.isGivenUp("a", 60_000)).isTrue();
    }

    private SnapshotManifest last() throws Exception {
        bench.manifests().forEach(manifest -> first = manifest);
        return first;
    }

    @Test
    void aFileThatIsGoneFromALaneWithoutTrafficIsFound() throws Exception {
        forgetCopies();
        for (Path file : bench.storedFiles(LANE)) {
            if (file.toString().endsWith(".sidecar")) {
                Files.delete(file);
            }
        }
        bench.advance(SWEEPS);
        List<Event> events = bench.events();
        assertThat(events).anySatisfy(event -> assertThat(event.getKind()).isEqualTo(EventKind.SEGMENT_LOST));
        assertBalanced(numbers(events));
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(manifests.get(manifests.size() - 1).getSegments()).isEmpty();
    }

    @Test
    void aDamagedOrLostFileIsWrittenAgainFromTheJobsCopy() throws Exception {
        byte[] bytes = Files.readAllBytes(segment());
        damage(segment());
        Files.delete(sidecar());
        bench.advance(SCRUBS);
        assertThat(Files.readAllBytes(segment())).isEqualTo(bytes);
        assertThat(bench.told(EventKind.SEGMENT_MENDED, EventKind.SEGMENT_LOST))
                .extracting(Event::getKind)
                .containsExactly(EventKind.SEGMENT_MENDED, EventKind.SEGMENT_MENDED);
        bench.arrive(0, generation("b", bench.now(), 7, 8));
        bench.advance(3000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).containsExactly("[1, 2, 3]", "[7, 8]");
    }

    /** However many: their time tells it, and nobody has to wait for the slow round. */
    @Test
    void filesThatAreDamagedAreFoundWithinTwoSweeps() throws Exception {
        bench.arrive(0, generation("b", bench.now(), 7, 8));
        bench.advance(40_000);
        Map<Path, byte[]> whole = new HashMap<>();
        for (Path file : bench.storedFiles(LANE)) {
            whole.put(file, Files.readAllBytes(file));
            damage(file);
            Files.setLastModifiedTime(file, FileTime.fromMillis(bench.now()));
        }
        bench.advance(65_000);
        Set<Path> named = named();
        assertThat(named).hasSizeGreaterThan(1);
        for (Path file : named) {
            assertThat(Files.readAllBytes(file)).as(file.toString()).isEqualTo(whole.get(file));
        }
    }

    /** Neither its size nor its time tells. */
    @Test
    void aFileThatItsDiskDamagesWithoutAWordIsFoundByTheSlowRound() throws Exception {
        bench.advance(65_000);
        byte[] whole = Files.readAllBytes(segment());
        FileTime written = Files.getLastModifiedTime(segment());
        damage(segment());
        Files.setLastModifiedTime(segment(), written);
        bench.advance(SCRUBS);
        assertThat(Files.readAllBytes(segment())).isEqualTo(whole);
    }

    private Set<Path> named() throws Exception {
        Set<Path> files = new TreeSet<>();
        for (SnapshotManifest manifest : bench.manifests()) {
            manifest.getSegments().forEach(segment -> files.add(folder.resolve(segment.getPath())));
        }
        files.add(segment());
        return files;
    }

    @Test
    void aStoreThatIsNotThereCostsNothing() throws Exception {
        forgetCopies();
        Path lane = folder.resolve(SegmentLayout.folder(LANE));
        Path away = folder.resolve("away");
        Files.move(lane, away);
        bench.advance(SCRUBS);
        assertThat(bench.told(EventKind.SEGMENT_LOST)).isEmpty();
        Files.createDirectories(lane.getParent());
        Files.move(away, lane);
        bench.arrive(0, generation("b", bench.now(), 7, 8));
        bench.advance(40_000);
        List<SnapshotManifest> manifests = bench.manifests();
        assertThat(bench.documents(manifests.get(manifests.size() - 1))).containsExactly("[1, 2, 3]", "[7, 8]");
        assertBalanced(bench.accounting());
    }

    private static Map<String, Long> numbers(List<Event> events) {
        return events.stream()
                .filter(event -> event.getKind() == EventKind.ACCOUNTING)
                .reduce((before, after) -> after)
                .orElseThrow()
                .getNumbers();
    }
}
