package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** The arrays of one step, by batch entry, on the device; and pinned memory of the host that they are copied from and to. */
final class StepMemory implements AutoCloseable {
    static final int FOUND_BYTES = 136;
    static final int SHAPE_BYTES = 776;
    static final int SAMPLING_BYTES = 24;
    private static final int CHOSEN_BYTES = 65 * Integer.BYTES;

    private final List<DeviceMemory> owned = new ArrayList<>();
    private final Pointer pinned = new Pointer();
    final DeviceMemory slots;
    final DeviceMemory budgets;
    final DeviceMemory found;
    final DeviceMemory drafts;
    final DeviceMemory shapes;
    final DeviceMemory samplings;
    final DeviceMemory chosen;
    final DeviceMemory verdicts;
    final ByteBuffer slotsStaged;
    final ByteBuffer budgetsStaged;
    final ByteBuffer samplingsStaged;
    final ByteBuffer draftsStaged;
    final ByteBuffer verdictsStaged;

    StepMemory(DeviceLimits limits) {
        int batch = limits.batchMax();
        slots = own(batch, Integer.BYTES);
        budgets = own(batch, Integer.BYTES);
        found = own(batch, 2 * SnapshotImage.PARTS_MAX * FOUND_BYTES);
        drafts = own(batch, DeviceDraft.BYTES);
        shapes = own(batch, SHAPE_BYTES);
        samplings = own(batch, SAMPLING_BYTES);
        chosen = own(batch, CHOSEN_BYTES);
        verdicts = own(batch, DeviceVerdict.BYTES);
        int entry = 2 * Integer.BYTES + SAMPLING_BYTES + DeviceDraft.BYTES + DeviceVerdict.BYTES;
        long bytes = (long) batch * entry;
        Driver.check("cuMemAllocHost", JCudaDriver.cuMemAllocHost(pinned, bytes));
        ByteBuffer all = pinned.getByteBuffer(0, bytes);
        samplingsStaged = cut(all, batch * SAMPLING_BYTES);
        slotsStaged = cut(all, batch * Integer.BYTES);
        budgetsStaged = cut(all, batch * Integer.BYTES);
        draftsStaged = cut(all, batch * DeviceDraft.BYTES);
        verdictsStaged = cut(all, batch * DeviceVerdict.BYTES);
    }

    private DeviceMemory own(int batch, int entryBytes) {
        DeviceMemory memory = new DeviceMemory((long) batch * entryBytes);
        owned.add(memory);
        return memory;
    }

    private static ByteBuffer cut(ByteBuffer all, int bytes) {
        ByteBuffer part = all.slice(all.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        all.position(all.position() + bytes);
        return part;
    }

    @Override
    public void close() {
        owned.forEach(DeviceMemory::close);
        Driver.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(pinned));
    }
}
