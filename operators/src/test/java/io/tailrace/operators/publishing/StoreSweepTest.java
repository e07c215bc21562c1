package io.tailrace.operators.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.store.DurableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class StoreSweepTest {
    private static final long GRACE = 100;

    private final Map<String, Long> modified = new TreeMap<>();
    private Runnable afterDelete = () -> {};
    private final StoreSweep sweep = new StoreSweep("toy@1/acme", GRACE);

    /** A store of names and times. */
    private final DurableStore store = new DurableStore() {
        @Override
        public void put(Path localFile, String path, String sha256) {
            throw new AssertionError("a sweep writes nothing");
        }

        @Override
        public void fetch(String path, Path localFile) {
            throw new AssertionError("a sweep reads nothing");
        }

        @Override
        public void delete(String path) {
            modified.remove(path);
            afterDelete.run();
        }

        @Override
        public List<DurableStore.StoredFile> list(String folder) {
            List<DurableStore.StoredFile> files = new ArrayList<>();
            modified.forEach((path, at) -> files.add(new DurableStore.StoredFile(path, 1, at)));
            return files;
        }
    };

    private final Set<String> inUse = new TreeSet<>();

    private final StoreSweep.Removal removal = path -> {
        if (inUse.contains(path)) {
            return false;
        }
        store.delete(path);
        return true;
    };

    @Test
    void aFileGoesOnceItWasUnnamedForTheGracePeriod() throws Exception {
        modified.put("old", 0L);
        modified.put("named", 0L);
        assertThat(sweep.run(store, removal, Set.of("named"), Long.MAX_VALUE, 1000)
                        .removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of("named"), Long.MAX_VALUE, 1099)
                        .removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of("named"), Long.MAX_VALUE, 1100)
                        .removed())
                .isEqualTo(1);
        assertThat(modified.keySet()).containsExactly("named");
    }

    /** The job would go back to it, and find the file gone. */
    @Test
    void aFileThatTheNewestCompleteCheckpointMayNameStays() throws Exception {
        modified.put("old", 0L);
        sweep.run(store, removal, Set.of(), 999, 1000);
        assertThat(sweep.run(store, removal, Set.of(), 999, 1100).removed()).isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MIN_VALUE, 1101).removed())
                .as("none is complete yet")
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), 1000, 1102).removed()).isEqualTo(1);
    }

    @Test
    void aFileThatWasWrittenAgainStays() throws Exception {
        modified.put("folded", 0L);
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        modified.put("folded", 1050L);
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1100).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1199).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1200).removed())
                .isEqualTo(1);
    }

    @Test
    void aFileThatWasWrittenAgainByAStoreWhoseClockIsBehindStays() throws Exception {
        modified.put("merged", 0L);
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        modified.put("merged", 50L);
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1100).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1200).removed())
                .isEqualTo(1);
    }

    /** Many files go, which takes a while; meanwhile a merge comes to the content of one that is still to go. */
    @Test
    void aFileThatIsWrittenAgainWhileOthersGoStays() throws Exception {
        for (int i = 10; i < 60; i++) {
            modified.put("f" + i, 0L);
        }
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        afterDelete = () -> modified.put("f50", 1100L);
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1100).removed())
                .isEqualTo(49);
        assertThat(modified.keySet()).containsExactly("f50");
    }

    /** As a file of somebody else's in a folder that is mounted, or what a full disk does not let go. */
    @Test
    void aFileThatCannotBeRemovedKeepsNoOtherOneThere() throws Exception {
        for (String path : List.of("a", "b", "c")) {
            modified.put(path, 0L);
        }
        StoreSweep.Removal but = path -> {
            if (path.equals("b")) {
                throw new IOException("busy");
            }
            return removal.remove(path);
        };
        sweep.run(store, but, Set.of(), Long.MAX_VALUE, 1000);
        StoreSweep.Swept swept = sweep.run(store, but, Set.of("named"), Long.MAX_VALUE, 1100);
        assertThat(swept.removed()).isEqualTo(2);
        assertThat(swept.missing()).containsExactly("named");
        assertThat(modified.keySet()).containsExactly("b");
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1200).removed())
                .isEqualTo(1);
    }

    @Test
    void aFileInUseGoesAtALaterSweep() throws Exception {
        modified.put("x", 0L);
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        inUse.add("x");
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1100).removed())
                .isZero();
        inUse.clear();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1101).removed())
                .isEqualTo(1);
    }

    @Test
    void aFileThatIsNamedAgainBeginsAnew() throws Exception {
        modified.put("x", 0L);
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        sweep.run(store, removal, Set.of("x"), Long.MAX_VALUE, 1050);
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1100).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1199).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1200).removed())
                .isEqualTo(1);
    }

    /** What happened while the process was stopped, it has not seen: another job may have named the file. */
    @Test
    void theFirstSweepAfterAPauseOnlyLooks() throws Exception {
        modified.put("x", 0L);
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        long resumed = 1000 + StoreSweep.PAUSE_MILLIS;
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, resumed).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, resumed + 1)
                        .removed())
                .isEqualTo(1);
    }

    /** A lane that rested is swept after long: that sweep is none that looked after a pause, so the next one after a pause does. */
    @Test
    void aSweepAfterARestDoesNotStandForTheLookAfterAPause() throws Exception {
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        modified.put("x", 1000L);
        long rested = 1000 + 30 * StoreSweep.PAUSE_MILLIS;
        sweep.run(store, removal, Set.of(), Long.MAX_VALUE, rested);
        long resumed = rested + StoreSweep.PAUSE_MILLIS;
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, resumed).removed())
                .isZero();
        assertThat(sweep.run(store, removal, Set.of(), Long.MAX_VALUE, resumed + 1)
                        .removed())
                .isEqualTo(1);
    }

    /** A savepoint taken a minute ago may name the file. */
    @Test
    void aClockThatIsSetADayAheadMakesNoFileOld() throws Exception {
        long grace = 5 * StoreSweep.PAUSE_MILLIS;
        StoreSweep patient = new StoreSweep("toy@1/acme", grace);
        modified.put("x", 0L);
        patient.run(store, removal, Set.of(), Long.MAX_VALUE, 1000);
        long ahead = 86_400_000;
        for (int sweeps = 0; sweeps < 3; sweeps++) {
            assertThat(patient.run(store, removal, Set.of(), Long.MAX_VALUE, ahead + sweeps * 30_000L)
                            .removed())
                    .isZero();
        }
        assertThat(patient.run(store, removal, Set.of(), Long.MAX_VALUE, 100_000)
                        .removed())
                .isZero();
        modified.put("y", 0L);
        patient.run(store, removal, Set.of(), Long.MAX_VALUE, 130_000);
        assertThat(modified.keySet()).containsExactly("x", "y");
    }

    @Test
    void aMachineThatIsAlwaysLateStillTidiesUp() throws Exception {
        long now = 1000;
        for (int file = 0; file < 10; file++) {
            modified.put("x" + file, now);
            for (int sweeps = 0; sweeps < 3; sweeps++) {
                now += StoreSweep.PAUSE_MILLIS;
                sweep.run(store, removal, Set.of(), Long.MAX_VALUE, now);
            }
            assertThat(modified).isEmpty();
        }
    }
}
