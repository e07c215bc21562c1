package io.tailrace.worker.device;

import io.tailrace.gpu.DeviceException;
import io.tailrace.gpu.DeviceLostException;
import io.tailrace.gpu.DraftDevice;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lanes on the device as they are on the host, on a thread of its own. Changes that come while a lane waits go up
 * together; a lane is left alone nine times as long as its last upload took, so that uploads take a tenth of a core at most.
 */
final class SnapshotUploads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotUploads.class);
    private static final int REST_FACTOR = 9;
    private static final long SWEEP_MILLIS = 10;
    private static final long CLOSE_SECONDS_MAX = 30;

    private final DraftDevice device;
    private final ScheduledThreadPoolExecutor thread;
    private final Map<DeviceLane, Boolean> waiting = new ConcurrentHashMap<>();
    private final Map<DeviceLane, Long> restUntilNanos = new ConcurrentHashMap<>();

    private volatile boolean lost;

    SnapshotUploads(DraftDevice device) {
        this.device = device;
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
        long rest = Math.max(0, restUntilNanos.getOrDefault(lane, 0L) - System.nanoTime());
        try {
            Future<?> unused = thread.schedule(() -> upload(lane), rest, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("a change after the end is not uploaded");
        }
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
            lane.upload(device);
            sweep();
        } catch (DeviceLostException e) {
            lose(e);
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "lane {}: not uploaded, version {} stays on {}: {}",
                    lane.followed().lane(),
                    lane.version(),
                    device.name(),
                    e.toString());
        }
        long ended = System.nanoTime();
        restUntilNanos.put(lane, ended + REST_FACTOR * (ended - began));
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
