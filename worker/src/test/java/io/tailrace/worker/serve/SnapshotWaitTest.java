package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.internal.AnnouncedSnapshots;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLanes;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.DraftPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whoever waits for a snapshot is told what is missing, one after the other. */
class SnapshotWaitTest {
    private static final FollowOptions FOLLOW = FollowOptions.of(URI.create("file:/store"), Path.of("cache"));

    private final ServedLanes lanes = new ServedLanes(TestWorker.SERVED, FOLLOW, 0);

    private SnapshotWait waiting(boolean needed, boolean caughtUp) {
        ServingWorkerOptions alone = ServingWorkerOptions.alone("w", TestWorker.SERVED, FOLLOW);
        ServingWorkerOptions options = new ServingWorkerOptions(
                alone.name(),
                alone.workerClass(),
                alone.model(),
                alone.engine(),
                alone.drafts(),
                alone.follow(),
                alone.snapshotFolder(),
                needed,
                alone.reporting());
        return new SnapshotWait(options, lanes::all, Optional.of(() -> caughtUp));
    }

    private static String said(SnapshotWait wait) {
        assertThat(wait.why()).isPresent();
        return wait.why().get();
    }

    @Test
    void whatIsMissingIsSaidUntilASnapshotIsThere() {
        assertThat(said(waiting(true, false))).contains("are not read yet", "brokers");
        assertThat(said(waiting(true, true))).contains("--wait-for-snapshot", "none of this model and revision");
        AnnouncedSnapshots.announceWhatCannotBeLoaded(lanes, "s", 7, 0);
        assertThat(said(waiting(true, true)))
                .contains("announced for 1 lanes, none loaded yet, 0 loads failed")
                .doesNotContain("log");
        AnnouncedSnapshots.announceWhatCannotBeLoaded(lanes, "s", 8, 2);
        assertThat(said(waiting(true, true))).endsWith("2 loads failed (the log says why)");
        lanes.ofRequest("s").live().swap(new LoadedSnapshot(8, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}));
        assertThat(waiting(true, true).why()).isEmpty();
    }

    @Test
    void whoNeedsNoneWaitsForNothing() {
        assertThat(waiting(false, false).why()).isEmpty();
    }
}
