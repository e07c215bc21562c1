package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** The arrays of one step, by batch entry, on the device; and pinned memory of the host that they are copied from and to. */
final class StepMemory implements AutoCloseable {
    static final int FOUND_BYTES = 136;
    static final int SHAPE_BYTES = 776;
    static final int SAMPLING_BYTES = 24;
    static final int LANE_VIEW_BYTES = 24;
    static final int SEAT_BYTES = 24;
    static final int PASS_BYTES = 32;
    static final int LOGITS_BYTES = 16;
    /** Room for so many tokens of each request of a batch, where many are put in together. */
    private static final int ADDED_TOKENS = 64;

    private static final int CHOSEN_BYTES = 65 * Integer.BYTES;

    private final int batch;
    private final Closings owned = new Closings();
    private final Pointer pinned = new Pointer();
    private final ByteBuffer pinnedBytes;
    final DeviceMemory found;
    final DeviceMemory shapes;
    final DeviceMemory chosen;
    final Exchanged lanes;
    final Exchanged seats;
    final Exchanged samplings;
    final Exchanged slots;
    final Exchanged budgets;
    final Exchanged nodes;
    final Exchanged firstRows;
    final Exchanged drafts;
    final Exchanged verdicts;
    final Exchanged pass;
    final Exchanged logits;
    /** Contexts that are put in together, one after another, and where each begins and ends. */
    final Exchanged text;

    final Exchanged starts;

    StepMemory(DeviceLimits limits) {
        batch = limits.batchMax();
        try {
            found = own((long) batch * 2 * SnapshotImage.PARTS_MAX * FOUND_BYTES);
            shapes = own((long) batch * SHAPE_BYTES);
            chosen = own((long) batch * CHOSEN_BYTES);
            long entry = LANE_VIEW_BYTES + SEAT_BYTES + SAMPLING_BYTES + 4L * Integer.BYTES;
            int textTokens = textTokensMax(limits);
            long bytes = batch * (entry + DeviceDraft.BYTES + DeviceVerdict.BYTES) + PASS_BYTES + LOGITS_BYTES;
            bytes += (textTokens + batch + 1L) * Integer.BYTES;
            Driver.check("cuMemAllocHost", JCudaDriver.cuMemAllocHost(pinned, bytes));
            owned.add(() -> Driver.check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(pinned)));
            pinnedBytes = pinned.getByteBuffer(0, bytes);
            pass = new Exchanged(1, PASS_BYTES);
            logits = new Exchanged(1, LOGITS_BYTES);
            lanes = new Exchanged(batch, LANE_VIEW_BYTES);
            seats = new Exchanged(batch, SEAT_BYTES);
            samplings = new Exchanged(batch, SAMPLING_BYTES);
            slots = new Exchanged(batch, Integer.BYTES);
            budgets = new Exchanged(batch, Integer.BYTES);
            nodes = new Exchanged(batch, Integer.BYTES);
            firstRows = new Exchanged(batch, Integer.BYTES);
            drafts = new Exchanged(batch, DeviceDraft.BYTES);
            verdicts = new Exchanged(batch, DeviceVerdict.BYTES);
            text = new Exchanged(textTokens, Integer.BYTES);
            starts = new Exchanged(batch + 1, Integer.BYTES);
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    /** Tokens that are put in at once, at the least the longest context and one more, by which a slot finds that it is too long. */
    private static int textTokensMax(DeviceLimits limits) {
        return limits.contextTokensMax() + 1 + limits.batchMax() * ADDED_TOKENS;
    }

    /** An array on the device, with its twin in pinned memory: what the host writes there goes up, what comes down lies there. */
    final class Exchanged {
        private final DeviceMemory device;
        private final ByteBuffer staged;
        private final int entryBytes;

        private Exchanged(int entries, int entryBytes) {
            this.entryBytes = entryBytes;
            device = own((long) entries * entryBytes);
            int bytes = entries * entryBytes;
            staged = pinnedBytes.slice(pinnedBytes.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
            pinnedBytes.position(pinnedBytes.position() + bytes);
        }

        long address() {
            return device.address();
        }

        /** The twin, to be written from its start. No copy of it may be queued. */
        ByteBuffer stage() {
            return staged.clear();
        }

        /** One entry of the twin. */
        ByteBuffer entry(int index) {
            return staged.slice(index * entryBytes, entryBytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        void stage(int[] values) {
            staged.clear().asIntBuffer().put(values);
        }

        /** Queues the copy of the first entries to the device. */
        void up(int entries, CUstream stream) {
            device.upload(0, staged.clear().limit(entries * entryBytes), stream);
        }

        /** Queues the copy of the first entries to the host. */
        void down(int entries, CUstream stream) {
            device.download(0, staged.clear().limit(entries * entryBytes), stream);
        }
    }

    private DeviceMemory own(long bytes) {
        DeviceMemory memory = new DeviceMemory(bytes);
        owned.add(memory::close);
        return memory;
    }

    @Override
    public void close() {
        owned.close();
    }
}
