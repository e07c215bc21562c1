package io.tailrace.worker.device;

import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.worker.follow.FollowedLane;
import io.tailrace.worker.follow.LoadedSnapshot;
import java.io.IOException;
import java.util.List;

/** One lane on the device: its number there, and what it drafts from now. */
final class DeviceLane {
    private final int number;
    private final FollowedLane followed;
    private final ImageMaker images;
    private volatile Resident resident;

    /** A snapshot's version and policy, as they are on the device. */
    private record Resident(long version, DraftPolicy policy) {}

    /** Puts an empty snapshot on the device, so that requests draft from their own contexts at once. */
    DeviceLane(int number, FollowedLane followed, ImageMaker images, DraftDevice device) {
        this.number = number;
        this.followed = followed;
        this.images = images;
        DraftPolicy policy = DraftPolicy.defaults();
        device.publish(number, new SnapshotImage(List.of(), Mixer.defaults().weights(), policy.probabilityFloor()));
        resident = new Resident(0, policy);
    }

    int number() {
        return number;
    }

    FollowedLane followed() {
        return followed;
    }

    long version() {
        return resident.version();
    }

    /** As much of a budget as the policy allows. */
    int allowed(int budget) {
        DraftPolicy policy = resident.policy();
        return policy.enabled() ? Math.min(budget, policy.budgetMax()) : 0;
    }

    /** Brings what is live now, with the fresh generations, to the device. One thread. */
    void upload(DraftDevice device) throws IOException {
        LoadedSnapshot snapshot = followed.live().lease();
        try (ImageMaker.Image image = images.of(snapshot)) {
            device.publish(number, image.snapshot());
            resident = new Resident(snapshot.version(), snapshot.policy());
        } finally {
            snapshot.release();
        }
    }
}
