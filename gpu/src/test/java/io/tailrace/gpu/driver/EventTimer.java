package io.tailrace.gpu.driver;

import java.util.Arrays;
import jcuda.driver.CUevent;
import jcuda.driver.JCudaDriver;

/** Times what is queued on the default stream, by the device's own clock. */
final class EventTimer implements AutoCloseable {
    private static final int WARM_UP = 5;
    private static final double MICROS = 1_000;

    private final CUevent before = new CUevent();
    private final CUevent after = new CUevent();

    EventTimer() {
        Driver.check("cuEventCreate", JCudaDriver.cuEventCreate(before, 0));
        Driver.check("cuEventCreate", JCudaDriver.cuEventCreate(after, 0));
    }

    /** Median microseconds of some runs. */
    double micros(int runs, Runnable queue) {
        double[] times = new double[runs];
        for (int run = -WARM_UP; run < runs; run++) {
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
        Driver.check("cuEventDestroy", JCudaDriver.cuEventDestroy(before));
        Driver.check("cuEventDestroy", JCudaDriver.cuEventDestroy(after));
    }
}
