package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.schemas.WorkerPresence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long versions can be gone back to, with and without traffic, in Flink's harness. */
final class VersionAgeTest {
    private static final long START = 1_700_000_000_000L;
    private static final Duration AGE = Duration.ofMinutes(10);
    /** Maintenance comes that often. */
    private static final long MAINTENANCE_MILLIS = 30_000;

    @TempDir
    Path folder;

    /** What {@link #announce} has announced, and nobody has withdrawn. */
    private final TreeMap<Long, SnapshotManifest> there = new TreeMap<>();

    private PublisherBench bench;

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    private void open(int versionsRetained) throws Exception {
        bench = new PublisherBench(
                folder,
                new PublishingOptions(
                        1000,
                        1 << 18,
                        Duration.ofMinutes(10).toMillis(),
                        PublishingOptions.WAITING_BYTES_MAX,
                        32_000_000,
                        Duration.ofDays(30).toMillis(),
                        0,
                        Duration.ofDays(8).toMillis(),
                        Duration.ofMinutes(15).toMillis(),
                        versionsRetained,
                        AGE.toMillis(),
                        Duration.ofMinutes(1).toMillis(),
                        1 << 20,
                        true),
                START);
    }

    /** So many versions, one after the other; oldest first. */
    private List<Long> announce(int versions) throws Exception {
        List<Long> announced = new ArrayList<>();
        while (announced.size() < versions) {
            bench.arrive(0, generation("r" + bench.now(), bench.now(), announced.size() + 1));
            bench.advance(1100);
            for (PublisherBench.Published record : bench.published()) {
                if (record.manifest() == null) {
                    there.remove(
                            Long.parseLong(record.key().substring(record.key().indexOf('#') + 1)));
                } else {
                    announced.add(record.manifest().getVersion());
                    there.put(record.manifest().getVersion(), record.manifest());
                }
            }
        }
        return announced;
    }

    private void report(long version) throws Exception {
        bench.input(LaneMessage.of(new LaneMessage.WorkerReport(LANE, "worker-1", version, bench.now())));
    }

    private static String key(long version) {
        return LANE + "#" + version;
    }

    private static List<String> withdrawn(List<PublisherBench.Published> published) {
        return published.stream()
                .filter(record -> record.manifest() == null)
                .map(PublisherBench.Published::key)
                .toList();
    }

    @Test
    void anIdleLaneWithdrawsVersionsThatArePastTheirAgeAndAnnouncesNothing() throws Exception {
        open(64);
        List<Long> versions = announce(5);
        long last = versions.get(versions.size() - 1);
        bench.advance(AGE.toMillis() - 10_000);
        assertThat(bench.published()).as("none is past its age").isEmpty();
        bench.advance(10_000 + MAINTENANCE_MILLIS);
        List<PublisherBench.Published> published = bench.published();
        assertThat(withdrawn(published))
                .containsExactlyElementsOf(versions.stream()
                        .filter(version -> version != last)
                        .map(VersionAgeTest::key)
                        .toList());
        assertThat(published).as("tombstones only").hasSize(versions.size() - 1);
        bench.advance(3 * AGE.toMillis());
        assertThat(bench.published()).as("the announced version stays").isEmpty();
        bench.control(Samples.command("p1", Command.ROLLBACK, versions.get(0)));
        assertThat(bench.events())
                .anySatisfy(event -> assertThat(event.getMessage())
                        .contains("cannot roll back to version " + versions.get(0) + ": 1 versions from"));
    }

    @Test
    void anIdleLaneKeepsAPinnedVersionAndOneThatALiveWorkerServes() throws Exception {
        open(64);
        List<Long> versions = announce(5);
        long pinned = versions.get(0);
        long served = versions.get(2);
        bench.control(Samples.command("p1", Command.PIN, pinned));
        for (long end = bench.now() + 2 * AGE.toMillis(); bench.now() < end; bench.advance(5_000)) {
            report(served);
        }
        assertThat(withdrawn(bench.published())).containsExactly(key(versions.get(1)), key(versions.get(3)));
        bench.advance(WorkerPresence.SILENT_MILLIS_MAX + MAINTENANCE_MILLIS + 1_000);
        assertThat(withdrawn(bench.published())).containsExactly(key(served));
        bench.control(Samples.command("u1", Command.UNPIN, null));
        bench.advance(MAINTENANCE_MILLIS + 1_000);
        assertThat(withdrawn(bench.published())).containsExactly(key(pinned));
    }

    /** Its worker has gone on serving while the job was down, and could tell nobody. */
    @Test
    void aVersionThatAWorkerServedWhenTheJobStoppedIsKeptUntilTheWorkerCanSaySoAgain() throws Exception {
        open(64);
        List<Long> versions = announce(5);
        report(versions.get(1));
        OperatorSubtaskState savepoint = bench.checkpoint();
        bench.advance(2 * AGE.toMillis());
        bench.restore(savepoint);
        bench.advance(2_000);
        List<PublisherBench.Published> published = bench.published();
        assertThat(published).anySatisfy(record -> assertThat(record.manifest()).isNotNull());
        assertThat(withdrawn(published))
                .contains(key(versions.get(0)), key(versions.get(2)))
                .doesNotContain(key(versions.get(1)));
        bench.input(LaneMessage.of(
                new LaneMessage.WorkerReport(LANE, "worker-1", versions.get(0), bench.now() - AGE.toMillis())));
        bench.advance(MAINTENANCE_MILLIS);
        assertThat(withdrawn(bench.published()))
                .as("what it said long ago says nothing")
                .isEmpty();
        bench.advance(WorkerPresence.SILENT_MILLIS_MAX + MAINTENANCE_MILLIS);
        assertThat(withdrawn(bench.published())).containsExactly(key(versions.get(1)));
    }

    /** An operator notices after minutes: that many announcements ago lies far beyond the number of versions. */
    @Test
    void aLaneUnderTrafficCanBeRolledBackByMinutes() throws Exception {
        open(16);
        announce(150);
        assertThat(there).hasSize(16);
        long noticed = bench.now() - 120_000;
        SnapshotManifest good = there.floorEntry(noticed).getValue();
        double after = bench.now() - there.higherKey(good.getVersion()) + 1_000;
        assertThat((bench.now() - good.getVersion() + 1_000) / after)
                .isLessThan(new VersionSpacing(16, AGE.toMillis()).gapMax());

        bench.control(Samples.command("r1", Command.ROLLBACK, good.getVersion()));
        bench.advance(1_500);

        SnapshotManifest back = bench.manifests().get(0);
        assertThat(back.getRolledBackBy()).isEqualTo("r1");
        assertThat(back.getSegments()).isEqualTo(good.getSegments());
        assertThat(bench.documents(back)).as("its files were kept").isEqualTo(bench.documents(good));
    }
}
