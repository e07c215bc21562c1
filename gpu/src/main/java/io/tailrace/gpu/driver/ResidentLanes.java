package io.tailrace.gpu.driver;

import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import jcuda.driver.CUstream;

/**
 * The lanes' snapshots on a device: one live each, and those that were swapped away, until no step reads them.
 *
 * <p>Any thread may publish, one at a time. Steps are queued under the same lock as swaps, so that a snapshot's last step is known
 * when it is retired.
 */
final class ResidentLanes {
    private final KernelModule kernels;
    private final CUstream uploads;
    private final CUstream steps;
    private final Object stepLock;
    /** One publisher at a time; what follows is guarded by the lock of the steps. */
    private final Object publishing = new Object();

    private final Map<Integer, ResidentSnapshot> live = new HashMap<>();
    private final Deque<ResidentSnapshot> retired = new ArrayDeque<>();
    /** The publisher's. */
    private final SpareBlocks blocks = new SpareBlocks();

    ResidentLanes(KernelModule kernels, CUstream uploads, CUstream steps, Object stepLock) {
        this.kernels = kernels;
        this.uploads = uploads;
        this.steps = steps;
        this.stepLock = stepLock;
    }

    void publish(int lane, SnapshotImage image) {
        if (lane < 0) {
            throw new IllegalArgumentException("lane must be >= 0, got " + lane);
        }
        synchronized (publishing) {
            sweep();
            DeviceMemory block = blocks.take(ResidentSnapshot.bytes(image));
            try {
                swapIn(lane, new ResidentSnapshot(image, block, liveOf(lane), kernels, uploads));
            } catch (RuntimeException e) {
                Closings failed = new Closings();
                failed.add(() -> blocks.give(block));
                throw failed.closeAfter(e);
            }
        }
    }

    private void swapIn(int lane, ResidentSnapshot next) {
        try {
            swap(lane, next);
        } catch (RuntimeException e) {
            Closings failed = new Closings();
            failed.add(next::close);
            throw failed.closeAfter(e);
        }
    }

    void drop(int lane) {
        synchronized (publishing) {
            swap(lane, null);
        }
    }

    /** Frees what no step reads any more; true if nothing is left to free. */
    boolean sweep() {
        synchronized (publishing) {
            for (ResidentSnapshot idle = takeIdle(); idle != null; idle = takeIdle()) {
                free(idle);
            }
            synchronized (stepLock) {
                return retired.isEmpty();
            }
        }
    }

    /** Writes what each entry drafts from, as {@code struct LaneView}. The caller holds the lock of the steps. */
    void views(int[] lanes, ByteBuffer into) {
        for (int lane : lanes) {
            ResidentSnapshot snapshot = live.get(lane);
            if (lane != DraftDevice.NONE && snapshot == null) {
                throw new IllegalStateException("lane " + lane + " must be published before drafting");
            }
            into.putLong(lane == DraftDevice.NONE ? 0 : snapshot.laneAddress());
            into.putLong(lane == DraftDevice.NONE ? 0 : snapshot.policyAddress());
            into.putFloat(lane == DraftDevice.NONE ? 0 : snapshot.probabilityFloor());
            into.putInt(0);
        }
    }

    /** Lets all go, once every step is over. */
    void closeWith(Closings all) {
        synchronized (publishing) {
            all.add(blocks::close);
            live.values().forEach(snapshot -> all.add(() -> free(snapshot)));
            retired.forEach(snapshot -> all.add(() -> free(snapshot)));
            live.clear();
            retired.clear();
        }
    }

    private void free(ResidentSnapshot snapshot) {
        Closings all = new Closings();
        all.add(() -> blocks.give(snapshot.block()));
        all.add(snapshot::close);
        all.close();
    }

    private ResidentSnapshot liveOf(int lane) {
        synchronized (stepLock) {
            return live.get(lane);
        }
    }

    private void swap(int lane, ResidentSnapshot next) {
        synchronized (stepLock) {
            ResidentSnapshot before = live.get(lane);
            if (before != null) {
                before.retire(steps);
                retired.add(before);
            }
            if (next == null) {
                live.remove(lane);
            } else {
                live.put(lane, next);
            }
        }
    }

    private ResidentSnapshot takeIdle() {
        synchronized (stepLock) {
            return retired.isEmpty() || !retired.peek().isIdle() ? null : retired.remove();
        }
    }
}
