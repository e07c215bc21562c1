package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.control;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Epochs;
import io.tailrace.schemas.SnapshotManifest;
import org.junit.jupiter.api.Test;

class VersionChoiceTest {
    private final VersionChoice choice = new VersionChoice();

    @Test
    void newestIsWanted() {
        assertThat(choice.wanted(0)).isNull();
        announce(10, 30, 20);
        assertThat(wanted(10)).isEqualTo(30);
    }

    @Test
    void pinHoldsItsVersionUntilUnpinned() {
        announce(10, 20);
        choice.command(control(Command.PIN, 10L, 100));
        announce(30);
        assertThat(wanted(20)).isEqualTo(10);
        assertThat(choice.held()).isTrue();
        choice.command(control(Command.UNPIN, null, 200));
        assertThat(wanted(10)).isEqualTo(30);
    }

    @Test
    void pinToAVersionYetToComeKeepsWhatIsLoaded() {
        announce(10, 20);
        choice.command(control(Command.PIN, 30L, 100));
        assertThat(wanted(10)).isEqualTo(10);
        announce(30, 40);
        assertThat(wanted(10)).isEqualTo(30);
    }

    /** A version is at least the time of its announcement, so a mistyped one would freeze the lane for years. */
    @Test
    void pinToAVersionThatCannotHaveBeenAnnouncedHoldsNothing() {
        announce(10, 20);
        choice.command(control(Command.PIN, 101 + VersionChoice.CLOCK_SKEW_MILLIS, 100));
        assertThat(choice.held()).isFalse();
        assertThat(choice.isBeyondCommand()).isTrue();
        announce(30);
        assertThat(wanted(20)).isEqualTo(30);
    }

    @Test
    void pinToAVersionThatIsGoneHoldsNothing() {
        announce(20, 30);
        choice.command(control(Command.PIN, 10L, 100));
        assertThat(choice.held()).isFalse();
        assertThat(wanted(20)).isEqualTo(30);
    }

    @Test
    void retractedVersionIsNotHeldByItsPin() {
        announce(10, 20);
        choice.command(control(Command.PIN, 10L, 100));
        choice.retract(10);
        assertThat(wanted(10)).isEqualTo(20);
    }

    @Test
    void rollbackHoldsUntilTheJobAnnouncesItsState() {
        announce(10, 20);
        choice.command(control(Command.ROLLBACK, 10L, 100_000));
        assertThat(wanted(20)).isEqualTo(10);
        announce(30);
        assertThat(wanted(10))
                .as("announced by a job that has not heard of it yet")
                .isEqualTo(10);
        choice.announce(answer(40, "c-100000"));
        assertThat(wanted(10)).isEqualTo(40);
        announce(50);
        assertThat(wanted(40)).isEqualTo(50);
    }

    @Test
    void rollbackThatWasAnsweredBeforeTheStartHoldsNothing() {
        announce(10, 20);
        choice.announce(answer(40, "c-100000"));
        announce(50);
        choice.command(control(Command.ROLLBACK, 10L, 100_000));
        assertThat(wanted(0)).isEqualTo(50);
    }

    @Test
    void earlierRollbacksAnswerIsNoAnswerToALaterOne() {
        choice.announce(answer(40, "c-100000"));
        announce(10, 50);
        choice.command(control(Command.ROLLBACK, 10L, 900_000));
        assertThat(wanted(50)).isEqualTo(10);
    }

    /** A job that stops between two rollbacks has answered only the first, however close they are. */
    @Test
    void theAnswerToOneRollbackIsNoneToTheNextSecondsLater() {
        announce(10, 20);
        choice.command(control(Command.ROLLBACK, 20L, 100_000));
        choice.announce(answer(40, "c-100000"));
        choice.command(control(Command.ROLLBACK, 10L, 101_000));
        assertThat(wanted(40)).isEqualTo(10);
        choice.announce(answer(50, "c-100000"));
        assertThat(wanted(10)).isEqualTo(10);
        choice.announce(answer(60, "c-101000"));
        assertThat(wanted(10)).isEqualTo(60);
    }

    /** The manifest that answered may be withdrawn by now; each later one names the command, too. */
    @Test
    void anyManifestTellsWhichRollbackTheLaneHasObeyed() {
        SnapshotManifest later = manifest(50);
        later.setRolledBackBy("c-100000");
        announce(10);
        choice.announce(later);
        choice.command(control(Command.ROLLBACK, 10L, 100_000));
        assertThat(wanted(0)).isEqualTo(50);
    }

    private static SnapshotManifest answer(long version, String command) {
        SnapshotManifest manifest = manifest(version);
        manifest.setRolledBackBy(command);
        return manifest;
    }

    @Test
    void latestCommandCounts() {
        announce(10, 20, 30);
        choice.command(control(Command.PIN, 10L, 100));
        choice.command(control(Command.PIN, 20L, 200));
        assertThat(wanted(30)).isEqualTo(20);
    }

    @Test
    void oldManifestsAreForgottenButTheHeldOne() {
        announce(1);
        choice.command(control(Command.PIN, 1L, 100));
        for (long version = 2; version <= 2 * VersionChoice.MANIFESTS_MAX; version++) {
            announce(version);
        }
        assertThat(choice.knows(1)).isTrue();
        assertThat(choice.knows(2)).isFalse();
        assertThat(wanted(9)).isEqualTo(1);
    }

    @Test
    void commandWithoutItsVersionIsRefused() {
        assertThatThrownBy(() -> choice.command(control(Command.PIN, null, 1))).hasMessage("PIN needs a version");
        assertThatThrownBy(() -> choice.command(control(Command.DELETE_SCOPE, null, 1)))
                .hasMessageContaining("does not choose a version");
    }

    /** A job that does not know yet that another took the installation over goes on numbering by its clock. */
    @Test
    void whatASupersededJobAnnouncesIsLeftOut() {
        assertThat(choice.announce(ofEpoch(10, 1))).isTrue();
        assertThat(choice.announce(ofEpoch(30, 1))).isTrue();
        assertThat(choice.announce(ofEpoch(20, 2))).isTrue();
        assertThat(wanted(30))
                .as("30 was announced after the claim of epoch 2, and heard before it")
                .isEqualTo(20);
        assertThat(choice.announce(ofEpoch(40, 1))).isFalse();
        assertThat(wanted(20)).isEqualTo(20);
        choice.command(control(Command.ROLLBACK, 10L, 100));
        assertThat(wanted(20))
                .as("what was announced before the claim can be gone back to")
                .isEqualTo(10);
    }

    /** Whoever may write the topic may claim an epoch of no job. The job withdraws what is not its own, in the transaction of its next version. */
    @Test
    void whenAVersionOfAnEpochOfNoJobIsWithdrawnTheJobIsHeardAgain() {
        assertThat(choice.announce(ofEpoch(10, 2))).isTrue();
        assertThat(choice.announce(ofEpoch(25, 2))).isTrue();
        assertThat(choice.announce(ofEpoch(20, Epochs.MAX))).isTrue();
        assertThat(choice.announce(ofEpoch(26, 2))).isFalse();
        assertThat(wanted(10)).isEqualTo(20);
        assertThat(choice.versions()).containsExactlyInAnyOrder(10L, 20L, 25L, 26L);
        choice.retract(25);
        choice.retract(20);
        assertThat(wanted(10)).isEqualTo(26);
        assertThat(choice.versions()).containsExactlyInAnyOrder(10L, 26L);
        assertThat(choice.announce(ofEpoch(27, 2))).isTrue();
        assertThat(wanted(10)).isEqualTo(27);
    }

    private static SnapshotManifest ofEpoch(long version, long epoch) {
        SnapshotManifest manifest = manifest(version);
        manifest.setEpoch(epoch);
        return manifest;
    }

    private void announce(long... versions) {
        for (long version : versions) {
            choice.announce(manifest(version));
        }
    }

    private long wanted(long loaded) {
        return choice.wanted(loaded).getVersion();
    }
}
