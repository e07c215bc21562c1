package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** The arrays of one step, by batch entry, on the device; and pinned memory of the host that they are copied from and to. */
final class StepMemory implements AutoCloseable {
    static final int FOUND_BYTES = 136;
    static final int SHAPE_BYTES = 776;
    static final int SAMPLING_BYTES = 24;
    static final int LANE_VIEW_BYTES = 24;
    static final int SEAT_BYTES = 24;
    private static final int CHOSEN_BYTES = 65 * Integer.BYTES;
    private static final int STAGED_BYTES =
            4 * Integer.BYTES + LANE_VIEW_BYTES + SEAT_BYTES + SAMPLING_BYTES + DeviceDraft.BYTES + DeviceVerdict.BYTES;

    private final Closings owned = new Closings();
    private final Pointer pinned = new Pointer();
    final DeviceMemory slots;
    final DeviceMemory lanes;
    final DeviceMemory budgets;
    final DeviceMemory nodes;
    final DeviceMemory firstRows;
    final DeviceMemory found;
    final DeviceMemory drafts;
    final DeviceMemory shapes;
    final DeviceMemory seats;
    final DeviceMemory samplings;
    final DeviceMemory chosen;
    final DeviceMemory verdicts;
    final ByteBuffer slotsStaged;
    final ByteBuffer lanesStaged;
    final ByteBuffer budgetsStaged;
    final ByteBuffer nodesStaged;
    final ByteBuffer firstRowsStaged;
    final ByteBuffer seatsStaged;
    final ByteBuffer samplingsStaged;
    final ByteBuffer draftsStaged;
    final ByteBuffer verdictsStaged;

    StepMemory(DeviceLimits limits) {
        int batch = limits.batchMax();
        try {
            slots = own(batch, Integer.BYTES);
            lanes = own(batch, LANE_VIEW_BYTES);
            budgets = own(batch, Integer.BYTES);
            nodes = own(batch, Integer.BYTES);
            firstRows = own(batch, Integer.BYTES);
            found = own(batch, 2 * SnapshotImage.PARTS_MAX * FOUND_BYTES);
            drafts = own(batch, DeviceDraft.BYTES);
            shapes = own(batch, SHAPE_BYTES);
            seats = own(batch, SEAT_BYTES);
            samplings = own(batch, SAMPLING_BYTES);
            chosen = own(batch, CHOSEN_BYTES);
            verdicts = own(batch, DeviceVerdict.BYTES);
            long bytes = (long) batch * STAGED_BYTES;
            Driver.check("cuMemAllocHost", JCudaDriver.cuMemAllocHost(pinned, bytes));
            owned.add(() -> Driver.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(pinned)));
            ByteBuffer all = pinned.getByteBuffer(0, bytes);
            lanesStaged = cut(all, batch * LANE_VIEW_BYTES);
            seatsStaged = cut(all, batch * SEAT_BYTES);
            samplingsStaged = cut(all, batch * SAMPLING_BYTES);
            slotsStaged = cut(all, batch * Integer.BYTES);
            budgetsStaged = cut(all, batch * Integer.BYTES);
            nodesStaged = cut(all, batch * Integer.BYTES);
            firstRowsStaged = cut(all, batch * Integer.BYTES);
            draftsStaged = cut(all, batch * DeviceDraft.BYTES);
            verdictsStaged = cut(all, batch * DeviceVerdict.BYTES);
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    private DeviceMemory own(int batch, int entryBytes) {
        DeviceMemory memory = new DeviceMemory((long) batch * entryBytes);
        owned.add(memory::close);
        return memory;
    }

    private static ByteBuffer cut(ByteBuffer all, int bytes) {
        ByteBuffer part = all.slice(all.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        all.position(all.position() + bytes);
        return part;
    }

    @Override
    public void close() {
        owned.close();
    }
}
