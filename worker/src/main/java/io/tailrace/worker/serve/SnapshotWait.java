package io.tailrace.worker.serve;

import io.tailrace.client.follow.FollowedLane;
import io.tailrace.client.follow.LaneState;
import io.tailrace.client.follow.internal.ServedLane;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a worker lacks that must not serve before it has a snapshot. Names no folder and no lane: who may ask for health may ask for that.
 *
 * @param options the worker's
 * @param lanes what it follows
 * @param caughtUp whether everything that was announced before the start is known; empty: it is without Kafka
 */
record SnapshotWait(
        ServingWorkerOptions options,
        Supplier<? extends List<? extends FollowedLane>> lanes,
        Optional<BooleanSupplier> caughtUp) {
    /** Why it waits; empty: it does not. */
    Optional<String> why() {
        return !options.snapshotNeeded()
                        || lanes.get().stream()
                                .anyMatch(lane -> ServedLane.of(lane).live().version() > 0)
                ? Optional.empty()
                : Optional.of("waits for a first snapshot (--wait-for-snapshot): " + missing());
    }

    private String missing() {
        if (caughtUp.isPresent()) {
            return missingOnTopics(caughtUp.get().getAsBoolean());
        }
        return options.snapshotFolder().isPresent()
                ? "--store had no segment when the worker started; put a snapshot's there and start it again"
                : "none can come, there is neither Kafka nor a folder of snapshots";
    }

    private String missingOnTopics(boolean allRead) {
        List<LaneState> announced = lanes.get().stream()
                .map(lane -> lane.state(System.currentTimeMillis()))
                .filter(lane -> lane.announcedVersion() > 0)
                .toList();
        if (!allRead) {
            return "topics snapshots and control are not read yet (are the brokers there?)";
        }
        if (announced.isEmpty()) {
            return "none of this model and revision was announced yet";
        }
        long failures = announced.stream().mapToLong(LaneState::failures).sum();
        return "announced for %d lanes, none loaded yet, %d loads failed%s"
                .formatted(announced.size(), failures, failures == 0 ? "" : " (the log says why)");
    }
}
