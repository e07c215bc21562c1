package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.MODELS;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.SameThread;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FileHash;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentLayout;
import io.tailrace.suffix.segment.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a lane's folder is listed, with a store in a folder and time that the test passes. */
final class SweepPaceTest {
    private static final long START = 1_700_000_000_000L;
    /** A lane's maintenance comes that often. */
    private static final long TICK = SweepPace.BEGIN_MILLIS;

    private static final long HOUR = SweepPace.REST_MILLIS_MAX;
    private static final long GRACE = PublishingOptions.defaults().sweepGraceMillis();

    @TempDir
    Path folder;

    private final Set<String> named = new HashSet<>();
    private BackgroundMerges merges;
    private LaneWork work;
    private long now = START;
    private int lists;
    private int failures;

    /** Counts. */
    private final class CountedStore implements DurableStore {
        private final DurableStore behind;

        CountedStore() throws IOException {
            behind = FlinkFileStore.factory(folder.toUri()).open();
        }

        @Override
        public void put(Path localFile, String path, String sha256) throws IOException {
            behind.put(localFile, path, sha256);
        }

        @Override
        public void fetch(String path, Path localFile) throws IOException {
            behind.fetch(path, localFile);
        }

        @Override
        public void delete(String path) throws IOException {
            behind.delete(path);
        }

        @Override
        public List<StoredFile> list(String path) throws IOException {
            lists++;
            if (failures > 0) {
                failures--;
                throw new IOException("the store is away");
            }
            return behind.list(path);
        }
    }

    @BeforeEach
    void begin() throws Exception {
        merges = BackgroundMerges.open(
                MODELS,
                CountedStore::new,
                folder.resolve("scratch").toString(),
                1 << 20,
                MergeHeap.ofThisProcess(),
                SameThread::new);
        work = work(LANE);
        named.add(put("first"));
    }

    @AfterEach
    void close() throws Exception {
        merges.close();
    }

    private static LaneWork work(String lane) {
        return new LaneWork(
                lane,
                PublishingOptions.defaults(),
                MODELS,
                new CheckpointRhythm(),
                WaitingRoom.ofThisProcess(),
                new UnregisteredMetricsGroup());
    }

    /** A file as a segment's. */
    private String put(String content) throws Exception {
        Path local = Files.writeString(folder.resolve("local"), content);
        String sha256 = FileHash.sha256(local);
        String path = SegmentLayout.folder(LANE) + "/" + sha256 + ".segment";
        Path stored = folder.resolve(path);
        Files.createDirectories(stored.getParent());
        Files.move(local, stored);
        Files.setLastModifiedTime(stored, FileTime.fromMillis(now));
        return path;
    }

    /** Time passes; listings meanwhile. */
    private int pass(long millis) {
        int before = lists;
        for (long end = now + millis; now < end; now += TICK) {
            work.at(now);
            merges.sweep(work, Set.copyOf(named), Long.MAX_VALUE, now);
        }
        return lists - before;
    }

    @Test
    void aLaneAtRestIsListedOnceAnHour() {
        assertThat(pass(HOUR)).isBetween(6, 9);
        pass(HOUR);
        assertThat(pass(240 * HOUR)).isBetween(240, 240 * 8 / 7 + 1);
    }

    @Test
    void lanesThatBeganAtOneTimeAreListedAtDifferentTimes() {
        SweepPace one = new SweepPace(LANE);
        SweepPace other = new SweepPace(OTHER_LANE);
        int together = 0;
        int all = 0;
        for (now = START; now < START + 240 * HOUR; now += TICK) {
            boolean begins = one.begins(named, now);
            boolean otherBegins = other.begins(named, now);
            if (begins) {
                one.foundNothing();
                all++;
            }
            if (otherBegins) {
                other.foundNothing();
            }
            together += begins && otherBegins ? 1 : 0;
        }
        assertThat(together).isLessThan(all / 10);
    }

    @Test
    void anotherNameWakesALane() throws Exception {
        pass(24 * HOUR);
        String second = put("second");
        named.add(second);
        assertThat(pass(TICK)).isEqualTo(1);
        assertThat(pass(TICK)).as("what was read back is listed once more").isEqualTo(1);
        pass(24 * HOUR);
        named.remove(second);
        assertThat(pass(10 * TICK)).as("a file waits for its end").isEqualTo(10);
        pass(GRACE);
        assertThat(folder.resolve(second)).doesNotExist();
        assertThat(pass(8 * HOUR)).isLessThan(20);
    }

    @Test
    void aMergeWakesALane() {
        pass(24 * HOUR);
        work.landed(
                new MergePlan(MergePlan.Kind.OLDER, LANE, List.of(), List.of(), null, Retention.everything(), 0, 0),
                now);
        assertThat(pass(TICK)).isEqualTo(1);
    }

    /** It lies there when the publisher begins. */
    @Test
    void whatACrashLeftBehindIsRemovedSoon() throws Exception {
        pass(24 * HOUR);
        String orphan = put("orphan");
        work = work(LANE);
        pass(GRACE + 2 * TICK);
        assertThat(folder.resolve(orphan)).doesNotExist();
        assertThat(folder.resolve(named.iterator().next())).exists();
    }

    @Test
    void whatSomebodyElsePutsIntoALaneAtRestIsRemovedWhenTheRestIsOver() throws Exception {
        pass(24 * HOUR);
        String orphan = put("orphan");
        pass(HOUR + GRACE + 2 * TICK);
        assertThat(folder.resolve(orphan)).doesNotExist();
    }

    /** The slow round comes to it, and then the lane does not rest until it is given up. */
    @Test
    void aFileThatIsGoneFromALaneAtRestIsMissedThreeTimesWithinMinutes() throws Exception {
        String gone = put("second");
        named.add(gone);
        pass(24 * HOUR);
        Files.delete(folder.resolve(gone));
        pass(600_000 + 3 * TICK);
        assertThat(work.files.unreadable).hasSizeGreaterThanOrEqualTo(3).containsOnly(gone);
    }

    @Test
    void aStoreThatDoesNotAnswerIsAskedOften() {
        pass(24 * HOUR);
        failures = 10;
        pass(HOUR);
        assertThat(failures).isZero();
        assertThat(pass(24 * HOUR)).isLessThan(40);
    }

    @Test
    void aClockThatIsSetBackEndsARest() {
        pass(24 * HOUR);
        now -= 12 * HOUR;
        assertThat(pass(TICK)).isEqualTo(1);
    }
}
