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
    private final TreeMap<Long, SnapshotManifest> versions = new TreeMap<>();
    private Instant issued = Instant.ofEpochMilli(1_000);

    @Test
    void aPinIsObeyedByItsVersionAlone() {
        announce(10, null);
        announce(20, null);
        announce(30, "c");
        assertThat(obeys(Command.PIN, 20)).isTrue();
        assertThat(obeys(Command.PIN, 0)).isFalse();
        assertThat(obeys(Command.PIN, 10)).isFalse();
        assertThat(obeys(Command.PIN, 30)).isFalse();
    }

    @Test
    void aRollbackIsObeyedByItsVersionAndByItsAnswer() {
        announce(10, null);
        announce(15, "earlier");
        announce(20, "earlier");
        announce(25, "another");
        announce(30, "another");
        announce(40, "c");
        announce(50, "c");
        assertThat(obeys(Command.ROLLBACK, 20)).isTrue();
        assertThat(obeys(Command.ROLLBACK, 30)).as("taken back").isFalse();
        assertThat(obeys(Command.ROLLBACK, 40)).isTrue();
        assertThat(obeys(Command.ROLLBACK, 50)).isTrue();
        assertThat(obeys(Command.ROLLBACK, 60)).as("not announced").isFalse();
    }

    /** A worker that has just started, or could not load what is newer, reports a version below the command's, or none. */
    @Test
    void aWorkerBelowTheVersionHasNotObeyed() {
        announce(10, null);
        announce(20, null);
        assertThat(obeys(Command.ROLLBACK, 0)).isFalse();
        assertThat(obeys(Command.ROLLBACK, 10)).isFalse();
    }

    /** The operator's clock and the job's are two: what either says of the time is not asked. */
    @Test
    void anEarlierRollbacksAnswerIsNoneAndAnAnswerFromBeforeTheCommandIs() {
        announce(20, null);
        announce(25, "another");
        issued = Instant.ofEpochMilli(0);
        assertThat(obeys(Command.ROLLBACK, 25)).as("the operator's is behind").isFalse();
        announce(40, "c");
        issued = Instant.ofEpochMilli(5_000);
        assertThat(obeys(Command.ROLLBACK, 40)).as("it is ahead").isTrue();
    }

    /** @param rolledBackBy the last rollback that the job had obeyed; null: none */
    private void announce(long version, String rolledBackBy) {
        boolean answer = rolledBackBy != null
                && versions.values().stream().noneMatch(before -> rolledBackBy.equals(before.getRolledBackBy()));
        SnapshotManifest manifest = VersionTextTest.manifest(
                version,
                answer ? AnnouncementCause.ROLLBACK : AnnouncementCause.CADENCE,
                Instant.ofEpochMilli(version));
        manifest.setRolledBackBy(rolledBackBy);
        versions.put(version, manifest);
    }

    /** Whether a worker that has loaded the version has obeyed a command to go to version 20. */
    private boolean obeys(Command command, long loaded) {
        Control to20 = new Control("c", command, "toy", "1", "acme", 20L, null, "test", issued, null, false);
        return Commander.obeys(loaded, versions, to20);
    }
}
