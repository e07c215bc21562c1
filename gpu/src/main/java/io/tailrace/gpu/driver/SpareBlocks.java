package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;

/**
 * Memory of snapshots that were swapped away, for those to come. To reserve and free device memory holds up whoever queues work
 * meanwhile, and a lane's snapshots come every few seconds and are much alike: two blocks take turns.
 *
 * <p>At most {@value #KEPT_MAX} blocks are kept; each is reserved an eighth larger than asked, since lanes grow. One thread at a time.
 */
final class SpareBlocks implements AutoCloseable {
    private static final int KEPT_MAX = 4;
    private static final int HEADROOM = 8;
    /** A block may be so many times what is asked. */
    private static final int WASTE_MAX = 2;

    private final Deque<DeviceMemory> kept = new ArrayDeque<>();

    /** The smallest kept block that fits and is not far too large, or a new one. */
    DeviceMemory take(long bytes) {
        DeviceMemory fitting = kept.stream()
                .filter(block -> block.bytes() >= bytes && block.bytes() / WASTE_MAX <= bytes)
                .min(Comparator.comparingLong(DeviceMemory::bytes))
                .orElse(null);
        if (fitting == null) {
            return reserve(bytes);
        }
        kept.remove(fitting);
        return fitting;
    }

    /** Takes back what no step reads; frees what was kept longest where that is too many. */
    void give(DeviceMemory block) {
        kept.addLast(block);
        if (kept.size() > KEPT_MAX) {
            kept.removeFirst().close();
        }
    }

    private DeviceMemory reserve(long bytes) {
        try {
            return new DeviceMemory(bytes + bytes / HEADROOM);
        } catch (DeviceException e) {
            if (!e.isOutOfMemory()) {
                throw e;
            }
            close();
            return new DeviceMemory(bytes);
        }
    }

    /** Frees all. */
    @Override
    public void close() {
        Closings all = new Closings();
        kept.forEach(block -> all.add(block::close));
        kept.clear();
        all.close();
    }
}
