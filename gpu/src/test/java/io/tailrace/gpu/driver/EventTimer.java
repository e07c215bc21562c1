package io.tailrace.gpu.driver;

import java.util.Arrays;
import java.util.Locale;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;

/**
 * Times what is queued on the default stream, by the device's own clock. Cold: before each run a copy larger than any cache passes
 * through it, as a model's weights do between the steps of serving.
 */
final class EventTimer implements AutoCloseable {
    private static final int WARM_UP = 5;
    private static final double MICROS = 1_000;

    private final Closings owned = new Closings();
    private final CUevent before = new CUevent();
    private final CUevent after = new CUevent();
    private final DeviceMemory from;
    private final DeviceMemory to;

    /**
     * A timer.
     *
     * @param flushBytes copied within the device before each cold run
     */
    EventTimer(long flushBytes) {
        try {
            for (CUevent event : new CUevent[] {before, after}) {
                Driver.check("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
                owned.add(() -> Driver.check("cuEventDestroy", JCudaDriver.cuEventDestroy(event)));
            }
            from = new DeviceMemory(flushBytes);
            owned.add(from::close);
            to = new DeviceMemory(flushBytes);
            owned.add(to::close);
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    /** Median microseconds with caches as the step before has left them elsewhere, and as the run before has left them. */
    record Micros(double cold, double warm) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%,.2f / %,.2f", cold, warm);
        }
    }

    /** Both medians of some runs. */
    Micros micros(int runs, Runnable queue) {
        return new Micros(cold(runs, queue), warm(runs, queue));
    }

    /** Median microseconds of some runs, each after other memory has passed through the caches. */
    double cold(int runs, Runnable queue) {
        return median(runs, () -> to.copy(0, from, 0, from.bytes(), null), queue);
    }

    /** Median microseconds of some runs, one right after another. */
    double warm(int runs, Runnable queue) {
        return median(runs, () -> {}, queue);
    }

    private double median(int runs, Runnable first, Runnable queue) {
        double[] times = new double[runs];
        for (int run = -WARM_UP; run < runs; run++) {
            first.run();
            Driver.check("cuEventRecord", JCudaDriver.cuEventRecord(before, null));
            queue.run();
            Driver.check("cuEventRecord", JCudaDriver.cuEventRecord(after, null));
            Driver.check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(after));
            float[] millis = new float[1];
            Driver.check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(millis, before, after));
            if (run >= 0) {
                times[run] = millis[0] * MICROS;
            }
        }
        Arrays.sort(times);
        return times[runs / 2];
    }

    @Override
    public void close() {
        owned.close();
    }
}
