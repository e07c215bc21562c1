package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.DraftDevice;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.ExponentialBackoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps the lanes on the device as they are on the host, on a thread of its own. Changes that come while a lane waits go up
 * together; a lane is left alone nine times as long as its last upload took, so that uploads take a tenth of a core at most.
 *
 * <p>An upload that fails, on a full disk, for want of memory, or since a mapped file cannot be read, takes the lane's snapshot off the device: what was deleted or rolled
 * back meanwhile must not be drafted from. It is tried again, sooner at first, then each half minute, without end.
 */
final class SnapshotUploads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotUploads.class);
    private static final int REST_FACTOR = 9;
    private static final long SWEEP_MILLIS = 10;
    private static final long CLOSE_SECONDS_MAX = 30;
    private static final ExponentialBackoff BETWEEN_UPLOADS = new ExponentialBackoff(100, 2, 30_000, 0);

    private final DraftDevice device;
    private final LaneRoom room;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<DeviceLane, Boolean> waiting = new ConcurrentHashMap<>();
    private final Map<DeviceLane, Long> restUntilNanos = new ConcurrentHashMap<>();

    /** The uploads thread's: how often in a row a lane was not uploaded. */
    private final Map<DeviceLane, Integer> failuresInARow = new HashMap<>();

    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong withoutRoom = new AtomicLong();
    private volatile boolean lost;

    SnapshotUploads(DraftDevice device) {
        this.device = device;
        this.room = new LaneRoom(device.laneBytesMax());
        this.thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread uploads = new Thread(work, "device-uploads");
            uploads.setDaemon(true);
            return uploads;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** The lane drafts from something else now. Any thread; returns at once. */
    void changed(DeviceLane lane) {
        if (waiting.putIfAbsent(lane, true) != null) {
            return;
        }
        Long until = restUntilNanos.get(lane);
        long rest = until == null ? 0 : Math.max(0, until - System.nanoTime());
        try {
            Future<?> unused = thread.schedule(() -> upload(lane), rest, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("a change after the end is not uploaded");
        }
    }

    /** Uploads that failed so far. */
    long failures() {
        return failures.get();
    }

    /** How often a lane was left without room on the device. */
    long withoutRoom() {
        return withoutRoom.get();
    }

    /** Bytes of the lanes' segments and vocabularies on the device. */
    long laneBytes() {
        return room.bytes();
    }

    /** Whether the process has lost the device. */
    boolean lost() {
        return lost;
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("an upload to {} did not end", device.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void upload(DeviceLane lane) {
        waiting.remove(lane);
        long began = System.nanoTime();
        try {
            lane.upload(device, bytes -> takeRoom(lane, bytes));
            failuresInARow.remove(lane);
            sweep();
        } catch (DeviceLostException e) {
            lose(e);
        } catch (IOException | RuntimeException | Error e) {
            // Nobody waits for this task: an error that left it would be seen by nobody, and the lane never come again.
            failed(lane, e);
            return;
        }
        long ended = System.nanoTime();
        restUntilNanos.put(lane, ended + REST_FACTOR * (ended - began));
    }

    /** Lets others go that were asked for longer ago; false if that does not suffice. */
    private boolean takeRoom(DeviceLane lane, long bytes) {
        List<DeviceLane> leaving = room.inTheWay(lane, bytes);
        if (leaving == null) {
            left(lane, bytes);
            return false;
        }
        for (DeviceLane other : leaving) {
            left(other, bytes);
            other.leave(device);
        }
        room.set(lane, bytes);
        return true;
    }

    /** The first time, and then each power of two, is a warning. */
    private void left(DeviceLane lane, long wanted) {
        room.set(lane, 0);
        long times = withoutRoom.incrementAndGet();
        LOG.atLevel(Long.bitCount(times) == 1 ? Level.WARN : Level.DEBUG)
                .log(
                        "lane {}: no room on {}, drafts from requests' own contexts: {} bytes wanted, {} of {} are taken (--device-bytes)",
                        lane.followed().lane(),
                        device.name(),
                        wanted,
                        room.bytes(),
                        room.bytesMax());
    }

    /** The first failure, and then each power of two, is a warning. */
    private void failed(DeviceLane lane, Throwable cause) {
        int inARow = failuresInARow.merge(lane, 1, Integer::sum);
        long backoff = BETWEEN_UPLOADS.backoff(inARow - 1);
        LOG.atLevel(Integer.bitCount(inARow) == 1 ? Level.WARN : Level.DEBUG)
                .log(
                        "lane {}: not uploaded to {} (attempt {}), drafts from requests' own contexts, next attempt in {} ms: {}",
                        lane.followed().lane(),
                        device.name(),
                        inARow,
                        backoff,
                        cause.toString());
        try {
            room.set(lane, 0);
            lane.withdraw(device);
            sweep();
        } catch (DeviceLostException e) {
            lose(e);
        } catch (RuntimeException | Error e) {
            LOG.warn(
                    "lane {}: no drafts, {} takes not even an empty snapshot: {}",
                    lane.followed().lane(),
                    device.name(),
                    e.toString());
        }
        failures.incrementAndGet();
        restUntilNanos.put(lane, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff));
        changed(lane);
    }

    private void lose(DeviceLostException e) {
        if (!lost) {
            LOG.error(
                    "{} is lost to this process, and the model's memory with it; the worker must be restarted",
                    device.name(),
                    e);
        }
        lost = true;
    }

    /** Frees what was swapped away, as soon as no step reads it. */
    private void sweep() {
        try {
            if (!device.sweep() && !thread.isShutdown()) {
                Future<?> unused = thread.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (DeviceLostException e) {
            lose(e);
        } catch (DeviceException e) {
            LOG.warn("{} does not free old snapshots: {}", device.name(), e.getMessage());
        } catch (RejectedExecutionException e) {
            LOG.debug("what is left is freed with the device");
        }
    }
}
