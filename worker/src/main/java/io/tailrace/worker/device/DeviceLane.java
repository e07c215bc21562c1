package io.tailrace.worker.device;

import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.follow.internal.ServedLane;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SimilarAnswers;
import io.tailrace.suffix.segment.MappedReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongPredicate;

/** One lane on the device: its number there, and what it drafts from now. */
final class DeviceLane {
    private final int number;
    private final ServedLane followed;
    private final ImageMaker images;
    private volatile Resident resident;
    private volatile long askedAtNanos = System.nanoTime();
    private volatile boolean outside;

    /** What is drafted from: a lane of the device or {@link DraftDevice#NONE}, a snapshot's version, 0 for no snapshot, and a policy. */
    private record Resident(int number, long version, DraftPolicy policy) {}

    /** Puts an empty snapshot on the device, so that requests draft from their own contexts at once. */
    DeviceLane(int number, ServedLane followed, ImageMaker images, DraftDevice device) {
        this.number = number;
        this.followed = followed;
        this.images = images;
        publishEmpty(device, DraftPolicy.unannounced());
    }

    /** Where it is on the device; {@link DraftDevice#NONE}: nothing there may be drafted from just now. */
    int number() {
        return resident.number();
    }

    ServedLane followed() {
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

    /** A request begins. True if the lane had to leave the device and may come back now. */
    boolean asked() {
        askedAtNanos = System.nanoTime();
        return outside;
    }

    long askedAtNanos() {
        return askedAtNanos;
    }

    /**
     * Looks for the answers to the requests most like one, in what is live now on the host: what a delete withdrew there is not found. What
     * cannot be read is left out.
     *
     * @return whether there may be others now
     */
    boolean prepare(SimilarAnswers similar) {
        LiveSnapshot live = followed.live();
        LoadedSnapshot now = live.lease();
        try {
            boolean looked = similar.prepare(now.index());
            MappedReads.await();
            return looked;
        } catch (UncheckedIOException | InternalError e) {
            live.damaged(now, e);
            similar.prepare(now.withoutSegments().index());
            return true;
        } finally {
            now.release();
        }
    }

    /**
     * Brings what is live now, with the fresh generations, to the device. One thread.
     *
     * @param room asked whether so many bytes are to be had; false: the lane has none of its segments there, until it is asked for again
     */
    void upload(DraftDevice device, LongPredicate room) throws IOException {
        LoadedSnapshot snapshot = followed.live().lease();
        try (ImageMaker.Image image = images.of(snapshot)) {
            outside = !room.test(image.snapshot().bytes());
            if (outside) {
                withdraw(device);
            } else {
                device.publish(number, image.snapshot());
                resident = new Resident(number, snapshot.version(), snapshot.policy());
            }
        } finally {
            snapshot.release();
        }
    }

    /**
     * What is on the device is not what is live, and may hold what was deleted or rolled back: from the step in hand on requests draft
     * from their own contexts, with the live policy. Should the device refuse even that, they have no drafts. One thread.
     */
    void withdraw(DraftDevice device) {
        LoadedSnapshot snapshot = followed.live().lease();
        try {
            resident = new Resident(DraftDevice.NONE, 0, snapshot.policy());
            publishEmpty(device, snapshot.policy());
        } finally {
            snapshot.release();
        }
    }

    /** Leaves the device to others, until it is asked for again. One thread. */
    void leave(DraftDevice device) {
        outside = true;
        withdraw(device);
    }

    private void publishEmpty(DraftDevice device, DraftPolicy policy) {
        device.publish(number, ImageMaker.empty(policy));
        resident = new Resident(number, 0, policy);
    }
}
