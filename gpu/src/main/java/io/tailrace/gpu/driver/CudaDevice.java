package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.Kernels;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
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
    private final int ordinal;
    private final CUdevice device = new CUdevice();
    private final CUcontext context = new CUcontext();
    private final CUstream uploads = new CUstream();
    /** The legacy default stream. */
    private final CUstream steps = null;

    private final String name;
    private final boolean readsHost;
    private final KernelModule kernels;
    private final DeviceMemory pool;
    private final StepMemory memory;
    private final Closings owned = new Closings();
    /** One publisher at a time; the rest is guarded by the device itself. */
    private final Object publishing = new Object();

    private final Map<Integer, ResidentSnapshot> live = new HashMap<>();
    private final Deque<ResidentSnapshot> retired = new ArrayDeque<>();
    private DeviceMemory stagedRows;
    private int batch;
    /** Whether copies from pinned memory are queued that nobody has waited for. */
    private boolean queued;

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
        this.ordinal = ordinal;
        try {
            Driver.start();
            Driver.check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
            Driver.check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
            owned.add(() -> Driver.check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device)));
            enter();
            name = nameOf(device);
            readsHost = attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0;
            kernels = new KernelModule(binary);
            owned.add(kernels::close);
            kernels.allowSharedBytes(draftKernel(), WORKSPACE_BYTES.get(limits.budgetMax()));
            int flags = CUstream_flags.CU_STREAM_NON_BLOCKING;
            Driver.check("cuStreamCreate", JCudaDriver.cuStreamCreate(uploads, flags));
            owned.add(() -> Driver.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(uploads)));
            pool = new DeviceMemory(limits.slots() * slotBytes(limits.contextTokensMax()));
            owned.add(pool::close);
            memory = new StepMemory(limits);
            owned.add(memory::close);
            KernelModule.Shape each = new KernelModule.Shape(limits.slots(), 1, 1, 0);
            kernels.launch("tailrace_clear_pool", each, steps, pool.address(), limits.contextTokensMax());
            await();
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
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
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public void publish(int lane, SnapshotImage image) {
        if (lane < 0) {
            throw new IllegalArgumentException("lane must be >= 0, got " + lane);
        }
        synchronized (publishing) {
            enter();
            sweep();
            ResidentSnapshot next = new ResidentSnapshot(image, liveOf(lane), kernels, uploads);
            try {
                swap(lane, next);
            } catch (RuntimeException e) {
                next.close();
                throw e;
            }
        }
    }

    @Override
    public void drop(int lane) {
        synchronized (publishing) {
            enter();
            swap(lane, null);
        }
    }

    @Override
    public boolean sweep() {
        synchronized (publishing) {
            enter();
            for (ResidentSnapshot idle = takeIdle(); idle != null; idle = takeIdle()) {
                idle.close();
            }
            return noneRetired();
        }
    }

    @Override
    public synchronized void add(int[] slots, int[][] contexts) {
        requireBatch(slots.length, contexts.length);
        enter();
        awaitQueued();
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
            await();
        }
    }

    @Override
    public synchronized void draft(int[] slots, int[] lanes, int[] budgets) {
        requireBatch(slots.length, budgets.length);
        requireBatch(slots.length, lanes.length);
        enter();
        awaitQueued();
        ByteBuffer views = viewsOf(lanes);
        batch = slots.length;
        queued = true;
        memory.lanes.upload(0, views, steps);
        stage(memory.slotsStaged, memory.slots, slots);
        stage(memory.budgetsStaged, memory.budgets, budgets);
        prepare();
        search();
        grow();
    }

    /** Queues the emptying of what the last step left. */
    void prepare() {
        Object[] arguments = {memory.slots.address(), limits.slots(), memory.drafts.address(), memory.verdicts.address()
        };
        launch("tailrace_prepare", 1, 1, arguments, batch);
    }

    /** Queues the search for occurrences. */
    void search() {
        Object[] arguments = poolArguments(memory.lanes.address(), memory.found.address());
        launch("tailrace_search", 2 * SnapshotImage.PARTS_MAX, WARP, arguments, batch);
    }

    /** Queues the drafts' growth from what was found. */
    void grow() {
        KernelModule.Shape shape = new KernelModule.Shape(batch, 1, WARP, WORKSPACE_BYTES.get(limits.budgetMax()));
        Object[] arguments = poolArguments(
                memory.lanes.address(),
                memory.found.address(),
                memory.budgets.address(),
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
    public synchronized void trim(int[] nodes) {
        requireBatch(batch, nodes.length);
        enter();
        queued = true;
        stage(memory.nodesStaged, memory.nodes, nodes);
        Object[] arguments = {memory.nodes.address(), memory.drafts.address(), memory.shapes.address()};
        launch("tailrace_trim", 1, 1, arguments, batch);
    }

    @Override
    public synchronized void mask(long mask) {
        enter();
        int rows = limits.rowsMax();
        launch("tailrace_mask", rows, WARP, new Object[] {memory.shapes.address(), rows, mask}, batch);
    }

    @Override
    public boolean reads(String owner) {
        return owner.equals("cuda:" + ordinal) || (readsHost && owner.equals("cpu"));
    }

    @Override
    public synchronized long stage(ByteBuffer rows) {
        enter();
        if (stagedRows == null || stagedRows.bytes() < rows.remaining()) {
            awaitQueued();
            DeviceMemory smaller = stagedRows;
            stagedRows = new DeviceMemory(rows.remaining());
            if (smaller != null) {
                smaller.close();
            }
        }
        queued = true;
        stagedRows.upload(0, rows, steps);
        return stagedRows.address();
    }

    @Override
    public synchronized void verify(LogitsRows rows, List<SamplingRule> rules) {
        requireBatch(batch, rules.size());
        requireBatch(batch, rows.firstRows().length);
        enter();
        queued = true;
        ByteBuffer staged = memory.samplingsStaged.clear();
        for (SamplingRule rule : rules) {
            staged.putFloat(rule.temperature()).putFloat(rule.topP());
            staged.putInt(rule.topK()).putInt(0).putLong(rule.seed());
        }
        memory.samplings.upload(0, staged.flip(), steps);
        stage(memory.firstRowsStaged, memory.firstRows, rows.firstRows());
        sample(rows);
        accept();
        extend();
    }

    /** Queues the choice of a token at each row. */
    void sample(LogitsRows rows) {
        Object[] arguments = poolArguments(
                memory.shapes.address(),
                rows.address(),
                memory.firstRows.address(),
                rows.vocabulary(),
                memory.samplings.address(),
                memory.chosen.address());
        launch("tailrace_sample", limits.rowsMax(), SAMPLE_THREADS, arguments, batch);
    }

    /** Queues the walk along what was chosen. */
    void accept() {
        Object[] arguments = {
            memory.slots.address(),
            limits.slots(),
            memory.drafts.address(),
            memory.chosen.address(),
            memory.verdicts.address()
        };
        launch("tailrace_accept", 1, 1, arguments, batch);
    }

    /** Queues the contexts' extension by what was accepted. */
    void extend() {
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
            Closings all = new Closings();
            all.add(owned::close);
            live.values().forEach(snapshot -> all.add(snapshot::close));
            retired.forEach(snapshot -> all.add(snapshot::close));
            if (stagedRows != null) {
                all.add(stagedRows::close);
            }
            live.clear();
            retired.clear();
            all.add(this::await);
            all.add(this::enter);
            all.close();
        }
    }

    private synchronized ResidentSnapshot liveOf(int lane) {
        return live.get(lane);
    }

    private synchronized void swap(int lane, ResidentSnapshot next) {
        ResidentSnapshot before = live.get(lane);
        if (before != null) {
            before.retire(steps);
            retired.add(before);
        }
        if (next == null) {
            live.remove(lane);
        } else {
            live.put(lane, next);
        }
    }

    private synchronized ResidentSnapshot takeIdle() {
        return retired.isEmpty() || !retired.peek().isIdle() ? null : retired.remove();
    }

    private synchronized boolean noneRetired() {
        return retired.isEmpty();
    }

    /** Addresses of what each entry drafts from, as {@code struct LaneView}. */
    private ByteBuffer viewsOf(int[] lanes) {
        ByteBuffer views = memory.lanesStaged.clear();
        for (int lane : lanes) {
            ResidentSnapshot snapshot = live.get(lane);
            if (lane != NONE && snapshot == null) {
                throw new IllegalStateException("lane " + lane + " must be published before drafting");
            }
            views.putLong(lane == NONE ? 0 : snapshot.laneAddress());
            views.putLong(lane == NONE ? 0 : snapshot.policyAddress());
            views.putFloat(lane == NONE ? 0 : snapshot.probabilityFloor()).putInt(0);
        }
        return views.flip();
    }

    /** Pinned memory may be written again only when nothing queued reads it. */
    private void awaitQueued() {
        if (queued) {
            await();
        }
    }

    private void await() {
        Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(steps));
        queued = false;
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
        await();
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

    private int attribute(int number) {
        int[] value = new int[1];
        Driver.check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, number, device));
        return value[0];
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
}
