package io.tailrace.agent.serve;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;

/** Whether the host's processors have time to spare. Looks once a second. One thread. */
final class HostLoad {
    private static final double BUSY = 0.7;
    private static final long LOOK_NANOS = 1_000_000_000L;

    private final DoubleSupplier load;
    private boolean spare;
    private boolean looked;
    private long lookedNanos;

    HostLoad() {
        this(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)::getCpuLoad);
    }

    /** @param load share of all processors' time that is used, 0 to 1; below 0: not known */
    HostLoad(DoubleSupplier load) {
        this.load = load;
    }

    /** True if less than 70 % of them is used, as far as that can be known. */
    boolean hasSpare(long nanos) {
        if (!looked || nanos - lookedNanos >= LOOK_NANOS) {
            double used = load.getAsDouble();
            spare = used >= 0 && used < BUSY;
            looked = true;
            lookedNanos = nanos;
        }
        return spare;
    }
}
