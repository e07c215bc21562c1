package io.tailrace.cli.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.SnapshotManifest;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When a worker has obeyed a command that names a version. */
final class CommanderTest {
    private static final long ISSUED = 1_000;

    private final TreeMap<Long, SnapshotManifest> versions = new TreeMap<>();

    @Test
    void aPinIsObeyedByItsVersionAlone() {
        announce(10, AnnouncementCause.CADENCE, 10);
        announce(20, AnnouncementCause.CADENCE, 20);
        announce(30, AnnouncementCause.ROLLBACK, 2_000);
        assertThat(obeys(Command.PIN, 20)).isTrue();
        assertThat(obeys(Command.PIN, 0)).isFalse();
        assertThat(obeys(Command.PIN, 10)).isFalse();
        assertThat(obeys(Command.PIN, 30)).isFalse();
    }

    @Test
    void aRollbackIsObeyedByItsVersionAndByItsAnswer() {
        announce(10, AnnouncementCause.CADENCE, 10);
        announce(15, AnnouncementCause.ROLLBACK, 15);
        announce(20, AnnouncementCause.CADENCE, 20);
        announce(25, AnnouncementCause.ROLLBACK, 25);
        announce(30, AnnouncementCause.CADENCE, 30);
        announce(40, AnnouncementCause.ROLLBACK, 2_000);
        announce(50, AnnouncementCause.CADENCE, 2_100);
        assertThat(obeys(Command.ROLLBACK, 20)).isTrue();
        assertThat(obeys(Command.ROLLBACK, 30)).as("taken back").isFalse();
        assertThat(obeys(Command.ROLLBACK, 40)).isTrue();
        assertThat(obeys(Command.ROLLBACK, 50)).isTrue();
        assertThat(obeys(Command.ROLLBACK, 60)).as("not announced").isFalse();
    }

    /** A worker that has just started, or could not load what is newer, reports a version below the command's, or none. */
    @Test
    void aWorkerBelowTheVersionHasNotObeyed() {
        announce(10, AnnouncementCause.CADENCE, 10);
        announce(20, AnnouncementCause.CADENCE, 20);
        assertThat(obeys(Command.ROLLBACK, 0)).isFalse();
        assertThat(obeys(Command.ROLLBACK, 10)).isFalse();
    }

    private void announce(long version, AnnouncementCause cause, long createdAtMillis) {
        versions.put(version, VersionTextTest.manifest(version, cause, Instant.ofEpochMilli(createdAtMillis)));
    }

    /** Whether a worker that has loaded the version has obeyed a command to go to version 20. */
    private boolean obeys(Command command, long loaded) {
        Control to20 = new Control(
                "c", command, "toy", "1", "acme", 20L, null, "test", Instant.ofEpochMilli(ISSUED), null, false);
        return Commander.obeys(loaded, versions, to20);
    }
}
