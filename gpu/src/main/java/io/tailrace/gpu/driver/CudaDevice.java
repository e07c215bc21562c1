package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.Kernels;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * A GPU that drafts.
 *
 * <p>Steps are queued on the legacy default stream, where other libraries of the process queue the model, so drafts, forward pass and
 * acceptance follow each other without anybody waiting. Snapshots are uploaded on a stream of their own; the swap is one
 * reference, and the old snapshot is freed after the last step that was queued with it.
 */
public final class CudaDevice implements DraftDevice {
    private static final int WARP = 32;
    private static final int SAMPLE_THREADS = 256;
    private static final int SLOT_FIXED_BYTES = 64 + 65_536;
    private static final int SLOT_TOKEN_BYTES = 72;
    private static final int SPILL_BYTES = 16;
    private static final int SLOT_ALIGNMENT = 256;
    /** Size of {@code struct Workspace} by budget. */
    private static final Map<Integer, Integer> WORKSPACE_BYTES = Map.of(16, 24_944, 32, 33_872, 64, 51_728);

    private final DeviceLimits limits;
    private final CUdevice device = new CUdevice();
    private final CUcontext context = new CUcontext();
    private final CUstream uploads = new CUstream();
    /** The legacy default stream. */
    private final CUstream steps = null;

    private final String name;
    private final KernelModule kernels;
    private final DeviceMemory pool;
    private final StepMemory memory;
    private final Deque<ResidentSnapshot> retired = new ArrayDeque<>();
    private final Object publishing = new Object();
    private ResidentSnapshot live;
    private int batch;

    /**
     * Opens a GPU and reserves all it will need, but for snapshots.
     *
     * @param ordinal its number
     * @throws io.tailrace.gpu.DeviceException if the driver refuses; out of memory is code 2
     */
    public CudaDevice(int ordinal, DeviceLimits limits) {
        this(ordinal, limits, Kernels.binary());
    }

    CudaDevice(int ordinal, DeviceLimits limits, byte[] binary) {
        this.limits = limits;
        Driver.start();
        Driver.check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
        Driver.check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
        enter();
        name = nameOf(device);
        List<AutoCloseable> opened = new ArrayList<>();
        try {
            kernels = new KernelModule(binary);
            opened.add(kernels);
            kernels.allowSharedBytes(draftKernel(), WORKSPACE_BYTES.get(limits.budgetMax()));
            int flags = CUstream_flags.CU_STREAM_NON_BLOCKING;
            Driver.check("cuStreamCreate", JCudaDriver.cuStreamCreate(uploads, flags));
            opened.add(() -> Driver.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(uploads)));
            pool = new DeviceMemory(limits.slots() * slotBytes(limits.contextTokensMax()));
            opened.add(pool);
            memory = new StepMemory(limits);
            KernelModule.Shape each = new KernelModule.Shape(limits.slots(), 1, 1, 0);
            kernels.launch("tailrace_clear_pool", each, steps, pool.address(), limits.contextTokensMax());
        } catch (RuntimeException e) {
            closeAll(opened, e);
            throw e;
        }
    }

    /** Bytes that a slot reserves: 96 a token and 64 KiB. */
    public static long slotBytes(int tokensMax) {
        long spilled = tokensMax + tokensMax / 2 + 2L;
        long bytes = SLOT_FIXED_BYTES + (long) tokensMax * SLOT_TOKEN_BYTES + spilled * SPILL_BYTES;
        return (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void publish(SnapshotImage image) {
        synchronized (publishing) {
            enter();
            ResidentSnapshot next = new ResidentSnapshot(image, live, kernels, uploads);
            swap(next);
            freeIdle();
        }
    }

    @Override
    public synchronized void add(int[] slots, int[][] contexts) {
        requireBatch(slots.length, contexts.length);
        enter();
        int[] starts = new int[slots.length + 1];
        for (int i = 0; i < slots.length; i++) {
            starts[i + 1] = Math.addExact(starts[i], contexts[i].length);
        }
        ByteBuffer tokens =
                ints(Arrays.stream(contexts).flatMapToInt(Arrays::stream).toArray());
        try (DeviceMemory text = new DeviceMemory(Math.max(Integer.BYTES, tokens.remaining()));
                DeviceMemory bounds = new DeviceMemory((long) starts.length * Integer.BYTES)) {
            text.upload(0, tokens);
            bounds.upload(0, ints(starts));
            memory.slots.upload(0, ints(slots));
            launch("tailrace_add", 1, WARP, poolArguments(text.address(), bounds.address()), slots.length);
            Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(steps));
        }
    }

    @Override
    public synchronized void draft(int[] slots, int[] budgets, float probabilityFloor) {
        requireBatch(slots.length, budgets.length);
        if (live == null) {
            throw new IllegalStateException("a snapshot must be published before drafting");
        }
        enter();
        batch = slots.length;
        stage(memory.slotsStaged, memory.slots, slots);
        stage(memory.budgetsStaged, memory.budgets, budgets);
        long lane = live.laneAddress();
        Object[] prepared = {memory.slots.address(), limits.slots(), memory.drafts.address(), memory.verdicts.address()
        };
        launch("tailrace_prepare", 1, 1, prepared, batch);
        int searches = 2 * SnapshotImage.PARTS_MAX;
        launch("tailrace_search", searches, WARP, poolArguments(lane, memory.found.address()), batch);
        KernelModule.Shape shape = new KernelModule.Shape(batch, 1, WARP, WORKSPACE_BYTES.get(limits.budgetMax()));
        Object[] arguments = poolArguments(
                lane,
                live.policyAddress(),
                memory.found.address(),
                memory.budgets.address(),
                probabilityFloor,
                memory.drafts.address(),
                memory.shapes.address());
        kernels.launch(draftKernel(), shape, steps, arguments);
    }

    @Override
    public synchronized List<DeviceDraft> drafts() {
        enter();
        return fetch(memory.drafts, memory.draftsStaged, DeviceDraft.BYTES, DeviceDraft::new);
    }

    @Override
    public synchronized void mask(long mask) {
        enter();
        int rows = limits.rowsMax();
        launch("tailrace_mask", rows, WARP, new Object[] {memory.shapes.address(), rows, mask}, batch);
    }

    @Override
    public synchronized void verify(long logits, int vocabulary, List<SamplingRule> rules) {
        requireBatch(batch, rules.size());
        enter();
        ByteBuffer staged = memory.samplingsStaged.clear();
        for (SamplingRule rule : rules) {
            staged.putFloat(rule.temperature()).putFloat(rule.topP());
            staged.putInt(rule.topK()).putInt(0).putLong(rule.seed());
        }
        memory.samplings.upload(0, staged.flip(), steps);
        int rows = limits.rowsMax();
        Object[] sampled = poolArguments(
                memory.shapes.address(), logits, rows, vocabulary, memory.samplings.address(), memory.chosen.address());
        launch("tailrace_sample", rows, SAMPLE_THREADS, sampled, batch);
        Object[] accepted = {
            memory.slots.address(),
            limits.slots(),
            memory.drafts.address(),
            memory.chosen.address(),
            memory.verdicts.address()
        };
        launch("tailrace_accept", 1, 1, accepted, batch);
        launch("tailrace_extend", 1, WARP, poolArguments(memory.verdicts.address()), batch);
    }

    @Override
    public synchronized List<DeviceVerdict> verdicts() {
        enter();
        return fetch(memory.verdicts, memory.verdictsStaged, DeviceVerdict.BYTES, DeviceVerdict::of);
    }

    /** Reserves memory on this device, for logits or masks of a caller that has no other. */
    public DeviceMemory reserve(long bytes) {
        enter();
        return new DeviceMemory(bytes);
    }

    @Override
    public void close() {
        synchronized (publishing) {
            enter();
            Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(steps));
            retired.forEach(ResidentSnapshot::close);
            retired.clear();
            if (live != null) {
                live.close();
            }
            memory.close();
            pool.close();
            Driver.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(uploads));
            kernels.close();
            Driver.check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device));
        }
    }

    private synchronized void swap(ResidentSnapshot next) {
        if (live != null) {
            live.retire(steps);
            retired.add(live);
        }
        live = next;
    }

    private void freeIdle() {
        while (!retired.isEmpty() && retired.peek().isIdle()) {
            retired.remove().close();
        }
    }

    private void enter() {
        Driver.check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    private String draftKernel() {
        return "tailrace_draft_" + limits.budgetMax();
    }

    private void launch(String kernel, int rows, int threads, Object[] arguments, int columns) {
        kernels.launch(kernel, new KernelModule.Shape(columns, rows, threads, 0), steps, arguments);
    }

    /** What every kernel on the contexts begins with, and then its own. */
    private Object[] poolArguments(Object... others) {
        Object[] arguments = new Object[others.length + 4];
        arguments[0] = pool.address();
        arguments[1] = limits.slots();
        arguments[2] = limits.contextTokensMax();
        arguments[3] = memory.slots.address();
        System.arraycopy(others, 0, arguments, 4, others.length);
        return arguments;
    }

    private void stage(ByteBuffer staged, DeviceMemory target, int[] values) {
        staged.clear().asIntBuffer().put(values);
        target.upload(0, staged.limit(values.length * Integer.BYTES), steps);
    }

    private <T> List<T> fetch(DeviceMemory from, ByteBuffer staged, int bytes, Function<ByteBuffer, T> view) {
        from.download(staged.clear().limit(batch * bytes), steps);
        Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(steps));
        List<T> views = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
            views.add(view.apply(staged.slice(i * bytes, bytes).order(ByteOrder.LITTLE_ENDIAN)));
        }
        return views;
    }

    private void requireBatch(int size, int others) {
        if (size != others || size < 1 || size > limits.batchMax()) {
            throw new IllegalArgumentException("a batch must have 1 to " + limits.batchMax()
                    + " entries, and as many of each argument; got " + size + " and " + others);
        }
    }

    private static ByteBuffer ints(int[] values) {
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes;
    }

    private static String nameOf(CUdevice device) {
        byte[] name = new byte[256];
        Driver.check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, name.length, device));
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return new String(name, 0, length, StandardCharsets.UTF_8);
    }

    private void closeAll(List<AutoCloseable> opened, RuntimeException cause) {
        for (int i = opened.size() - 1; i >= 0; i--) {
            try {
                opened.get(i).close();
            } catch (Exception e) {
                cause.addSuppressed(e);
            }
        }
        int code = JCudaDriver.cuDevicePrimaryCtxRelease(device);
        if (code != 0) {
            cause.addSuppressed(new IllegalStateException("cuDevicePrimaryCtxRelease gave " + code));
        }
    }
}
