package io.tailrace.worker.device;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who may have its segments on the device: bytes of all lanes together are bounded, and lanes that requests asked for longest ago make
 * room for those asked for since. The uploads thread's own; anybody may read the totals.
 */
final class LaneRoom {
    private final long bytesMax;
    private final Map<DeviceLane, Long> taken = new HashMap<>();
    private final AtomicLong total = new AtomicLong();

    LaneRoom(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Bytes that lanes have. */
    long bytes() {
        return total.get();
    }

    /**
     * Which lanes must leave before this one has so many bytes; null if it cannot, since it is too large, or all others were asked for
     * later. Changes nothing.
     */
    List<DeviceLane> inTheWay(DeviceLane lane, long bytes) {
        long free = bytesMax - total.get() + taken.getOrDefault(lane, 0L) - bytes;
        List<DeviceLane> leaving = new ArrayList<>();
        for (DeviceLane other : idlest(lane)) {
            if (free >= 0) {
                break;
            }
            leaving.add(other);
            free += taken.get(other);
        }
        return free < 0 ? null : leaving;
    }

    /** A lane has so many bytes now; 0: none. */
    void set(DeviceLane lane, long bytes) {
        Long before = bytes == 0 ? taken.remove(lane) : taken.put(lane, bytes);
        total.addAndGet(bytes - (before == null ? 0 : before));
    }

    /** Others that were asked for before this one was, longest ago first. */
    private List<DeviceLane> idlest(DeviceLane lane) {
        Map<DeviceLane, Long> asked = new HashMap<>();
        taken.keySet().forEach(other -> asked.put(other, other.askedAtNanos()));
        long since = lane.askedAtNanos();
        return taken.keySet().stream()
                .filter(other -> other != lane && asked.get(other) - since < 0)
                .sorted(Comparator.comparingLong(other -> asked.get(other) - since))
                .toList();
    }
}
