package io.tailrace.gpu.driver;

import io.tailrace.gpu.check.CheckReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** What the device can do at best: dependent loads, copies within it, and copies to and from pinned memory of the host. */
final class Ceilings {
    private static final int CHASE_STEPS = 20_000;
    private static final int LINE_BYTES = 64;
    private static final int NEAR_BYTES = 8 << 20;
    private static final int RUNS = 9;

    private final EventTimer timer;
    private final boolean standIn;

    Ceilings(EventTimer timer, boolean standIn) {
        this.timer = timer;
        this.standIn = standIn;
    }

    /** Measures, reports, and returns nanoseconds of a dependent load from the device's main memory. */
    double measure(Path chaseBinary, CheckReport report) throws IOException {
        double near = Double.NaN;
        double far = Double.NaN;
        if (Files.exists(chaseBinary)) {
            try (KernelModule module = new KernelModule(Files.readAllBytes(chaseBinary))) {
                near = chaseNanos(module, NEAR_BYTES, NEAR_BYTES / LINE_BYTES);
                far = chaseNanos(module, standIn ? 32 << 20 : 1 << 30, 0);
            }
        } else {
            report.line("Pointer chase NOT RUN: there is no " + chaseBinary + " (needs nvcc).");
        }
        int bytes = standIn ? 16 << 20 : 1 << 30;
        double inside = gigabytesPerSecond(2L * bytes, copyInside(bytes));
        report.table("ceiling", "figure");
        report.row("dependent load, 8 MiB (L2), ns", near);
        report.row("dependent load, main memory, ns", far);
        report.row("copy within the device, bytes read and written, GB/s", inside);
        try (DeviceMemory memory = new DeviceMemory(bytes)) {
            ByteBuffer pinned = pinned(bytes);
            double to = timer.warm(RUNS, () -> memory.upload(0, pinned.duplicate(), null));
            double from = timer.warm(RUNS, () -> memory.download(0, pinned.duplicate(), null));
            report.row("copy to the device, pinned, GB/s", gigabytesPerSecond(bytes, to));
            report.row("copy to the host, pinned, GB/s", gigabytesPerSecond(bytes, from));
            Driver.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(Pointer.toBuffer(pinned)));
        }
        return far;
    }

    /** Along one cycle through all 64-byte lines in random order, of which each run walks the next part; {@code before} lines untimed. */
    private double chaseNanos(KernelModule module, int bytes, int before) {
        int stride = LINE_BYTES / Integer.BYTES;
        int lines = bytes / LINE_BYTES;
        int[] order = new int[lines];
        Random random = new Random(1);
        for (int i = 0; i < lines; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        ByteBuffer next = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < lines; i++) {
            next.putInt(order[i] * LINE_BYTES, order[(i + 1) % lines] * stride);
        }
        try (DeviceMemory memory = new DeviceMemory(bytes);
                DeviceMemory end = new DeviceMemory(Integer.BYTES)) {
            memory.upload(0, next);
            end.upload(0, ByteBuffer.allocateDirect(Integer.BYTES));
            KernelModule.Shape one = new KernelModule.Shape(1, 1, 1, 0);
            module.launch("tailrace_chase", one, null, memory.address(), before, end.address());
            double micros = timer.warm(
                    RUNS,
                    () -> module.launch("tailrace_chase", one, null, memory.address(), CHASE_STEPS, end.address()));
            return micros * 1_000 / CHASE_STEPS;
        }
    }

    private double copyInside(int bytes) {
        try (DeviceMemory from = new DeviceMemory(bytes);
                DeviceMemory to = new DeviceMemory(bytes)) {
            return timer.warm(RUNS, () -> to.copy(0, from, 0, bytes, null));
        }
    }

    private static ByteBuffer pinned(int bytes) {
        Pointer pointer = new Pointer();
        Driver.check("cuMemAllocHost", JCudaDriver.cuMemAllocHost(pointer, bytes));
        return pointer.getByteBuffer(0, bytes);
    }

    private static double gigabytesPerSecond(long bytes, double micros) {
        return bytes / micros / 1_000;
    }
}
