package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceDraft;
import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.DeviceOutcome;
import io.tailrace.gpu.DeviceVerdict;
import io.tailrace.gpu.DraftDevice;
import io.tailrace.gpu.Kernels;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SamplingRule;
import io.tailrace.gpu.SimilarImage;
import io.tailrace.gpu.SnapshotImage;
import io.tailrace.suffix.draft.SimilarTexts;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
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
 * acceptance follow each other without anybody waiting; each part of a step is a graph, queued by one call. Snapshots are uploaded on a stream of their own; the swap is one
 * reference, and the old snapshot is freed after the last step that was queued with it.
 */
public final class CudaDevice implements DraftDevice {
    private static final String HOST = "cpu";
    /** The model's library takes more as it goes, and a swap holds two snapshots: so lanes get a part of what is free, by default. */
    private static final int FREE_PER_LANES = 4;

    private final DeviceLimits limits;
    private final int ordinal;
    private final CUdevice device = new CUdevice();
    private final CUcontext context = new CUcontext();
    private final CUstream uploads = new CUstream();
    /** The legacy default stream. */
    private final CUstream steps = JCudaDriver.CU_STREAM_LEGACY;

    private final String name;
    private final boolean readsHost;
    private final KernelModule kernels;
    private final StepKernels step;
    private final StepMemory memory;
    private final StepGraphs graphs;
    private final ResidentLanes lanes;
    private final long laneBytesMax;
    private final Closings owned = new Closings();
    private DeviceMemory stagedRows;
    /** What is queued to be copied to the device: not to be collected before it was. */
    private final List<ByteBuffer> inCopy = new ArrayList<>();
    /** Entries of the step in hand, and of the graphs that take so many. */
    private int batch;

    private int size;
    /** Whether copies from pinned memory are queued that nobody has waited for. */
    private boolean queued;

    private boolean closed;

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
            int flags = CUstream_flags.CU_STREAM_NON_BLOCKING;
            Driver.check("cuStreamCreate", JCudaDriver.cuStreamCreate(uploads, flags));
            owned.add(() -> Driver.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(uploads)));
            step = new StepKernels(kernels, limits, steps);
            owned.add(step::close);
            memory = step.memory();
            graphs = new StepGraphs(step, limits.batchMax(), uploads);
            owned.add(graphs::close);
            lanes = new ResidentLanes(kernels, uploads, steps, this);
            await();
            laneBytesMax = limits.laneBytesMax() > 0 ? limits.laneBytesMax() : freeBytes() / FREE_PER_LANES;
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
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
    public long laneBytesMax() {
        return laneBytesMax;
    }

    @Override
    public void publish(int lane, SnapshotImage image) {
        enter();
        lanes.publish(lane, image);
    }

    @Override
    public void drop(int lane) {
        enter();
        lanes.drop(lane);
    }

    @Override
    public boolean sweep() {
        enter();
        return lanes.sweep();
    }

    @Override
    public synchronized void add(int[] slots, int[][] contexts) {
        requireBatch(slots.length, contexts.length);
        enter();
        for (int added = 0; added < slots.length; ) {
            added = add(slots, contexts, added);
        }
    }

    /** Puts in as many requests from one on as there is room to stage; returns the first one that is left. */
    private int add(int[] slots, int[][] contexts, int from) {
        awaitQueued();
        int tokensMax = limits.contextTokensMax() + 1;
        IntBuffer text = memory.text.stage().asIntBuffer();
        IntBuffer starts = memory.starts.stage().asIntBuffer().put(0);
        int to = from;
        while (to < slots.length && Math.min(contexts[to].length, tokensMax) <= text.remaining()) {
            text.put(contexts[to], 0, Math.min(contexts[to].length, tokensMax));
            starts.put(text.position());
            to++;
        }
        memory.slots.stage(Arrays.copyOfRange(slots, from, to));
        queued = true;
        step.add(steps, to - from, text.position());
        await();
        return to;
    }

    @Override
    public synchronized void similar(int slot, SimilarTexts texts) {
        if (slot < 0 || slot >= limits.slots()) {
            throw new IllegalArgumentException("slot must be in [0, " + limits.slots() + "), got " + slot);
        }
        enter();
        ByteBuffer image = SimilarImage.of(texts);
        queued = true;
        inCopy.add(image);
        step.similar(steps, slot, image);
    }

    @Override
    public synchronized void draft(int[] slots, int[] draftLanes, int[] budgets) {
        requireBatch(slots.length, budgets.length);
        requireBatch(slots.length, draftLanes.length);
        enter();
        awaitQueued();
        batch = slots.length;
        size = graphs.size(batch);
        lanes.views(filledUp(draftLanes, NONE), memory.lanes.stage());
        memory.slots.stage(filledUp(slots, NONE));
        memory.budgets.stage(filledUp(budgets, 0));
        queue(StepGraphs.Part.DRAFT);
    }

    @Override
    public synchronized List<DeviceDraft> drafts() {
        enter();
        queued = true;
        memory.drafts.down(size, steps);
        await();
        return entries(memory.drafts, DeviceDraft::new);
    }

    @Override
    public synchronized void trim(int[] nodes) {
        requireBatch(batch, nodes.length);
        enter();
        queued = true;
        memory.nodes.stage(filledUp(nodes, 0));
        step.trim(steps, size);
    }

    @Override
    public synchronized void mask(long mask) {
        enter();
        step.mask(steps, batch, mask);
    }

    @Override
    public synchronized void fill(PassInputs pass) {
        requireBatch(batch, pass.seats().size());
        if (!reads(pass.memory())) {
            throw new IllegalArgumentException(name + " cannot write memory of " + pass.memory());
        }
        int[] widths = pass.seats().stream().mapToInt(PassInputs.Seat::width).toArray();
        int widest = IntStream.of(widths).max().orElse(0);
        if (widest > limits.budgetMax()) {
            throw new IllegalArgumentException("a seat of " + widest + " rows is wider than " + limits.budgetMax());
        }
        enter();
        memory.nodes.stage(filledUp(widths, 0));
        stage(pass);
        queue(StepGraphs.Part.FILL);
        if (pass.memory().equals(HOST)) {
            await();
        }
    }

    @Override
    public boolean reads(String owner) {
        return owner.equals("cuda:" + ordinal) || (readsHost && owner.equals(HOST));
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
        inCopy.add(rows);
        stagedRows.upload(0, rows, steps);
        return stagedRows.address();
    }

    @Override
    public synchronized void verify(LogitsRows rows, List<SamplingRule> rules) {
        requireBatch(batch, rules.size());
        requireBatch(batch, rows.firstRows().length);
        enter();
        memory.logits.stage().putLong(rows.address()).putInt(rows.vocabulary()).putInt(0);
        memory.firstRows.stage(filledUp(rows.firstRows(), 0));
        ByteBuffer staged = memory.samplings.stage();
        for (SamplingRule rule : rules) {
            staged.putFloat(rule.temperature()).putFloat(rule.topP());
            staged.putInt(rule.topK()).putInt(0).putLong(rule.seed());
        }
        queue(StepGraphs.Part.VERIFY);
    }

    @Override
    public synchronized List<DeviceVerdict> verdicts() {
        enter();
        await();
        return entries(memory.verdicts, DeviceVerdict::of);
    }

    @Override
    public synchronized List<DeviceOutcome> outcomes() {
        List<DeviceVerdict> verdicts = verdicts();
        List<DeviceDraft> drafts = entries(memory.drafts, DeviceDraft::new);
        return IntStream.range(0, batch)
                .mapToObj(i -> new DeviceOutcome(drafts.get(i), verdicts.get(i)))
                .toList();
    }

    /** The kernels of a step, to time them one by one. */
    StepKernels step() {
        return step;
    }

    /** Reserves memory on this device, for logits or masks of a caller that has no other. */
    public DeviceMemory reserve(long bytes) {
        enter();
        return new DeviceMemory(bytes);
    }

    /** Gives all back, whatever is refused meanwhile; a second time it does nothing. When no step or upload is on its way. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Closings all = new Closings();
        all.add(owned::close);
        lanes.closeWith(all);
        if (stagedRows != null) {
            all.add(stagedRows::close);
        }
        all.add(this::await);
        all.add(this::enter);
        all.close();
    }

    /** Pinned memory may be written again only when nothing queued reads it. */
    private void awaitQueued() {
        if (queued) {
            await();
        }
    }

    private void await() {
        try {
            Driver.check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(steps));
        } finally {
            Reference.reachabilityFence(inCopy);
        }
        inCopy.clear();
        queued = false;
    }

    private void enter() {
        Driver.check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    private void stage(PassInputs pass) {
        ByteBuffer where = memory.pass.stage();
        where.putLong(pass.tokens()).putLong(pass.positions()).putLong(pass.blocked());
        where.putInt(pass.vocabulary()).putInt(0);
        ByteBuffer staged = memory.seats.stage();
        for (int entry = 0; entry < size; entry++) {
            PassInputs.Seat seat = entry < batch ? pass.seats().get(entry) : PassInputs.Seat.NONE;
            staged.putLong(seat.cell()).putInt(seat.row()).putInt(seat.width());
            staged.putInt(seat.columns()).putInt(seat.position());
        }
    }

    /** Queues a part of the step in hand with what is staged. */
    void queue(StepGraphs.Part part) {
        queued = true;
        graphs.queue(part, size, steps);
    }

    /** As many values as the step's graphs have entries. */
    private int[] filledUp(int[] values, int idle) {
        int[] all = Arrays.copyOf(values, size);
        Arrays.fill(all, values.length, size, idle);
        return all;
    }

    private <T> List<T> entries(StepMemory.Exchanged array, Function<ByteBuffer, T> view) {
        return IntStream.range(0, batch)
                .mapToObj(i -> view.apply(array.entry(i)))
                .toList();
    }

    private void requireBatch(int size, int others) {
        if (size != others || size < 1 || size > limits.batchMax()) {
            throw new IllegalArgumentException("a batch must have 1 to " + limits.batchMax()
                    + " entries, and as many of each argument; got " + size + " and " + others);
        }
    }

    private static long freeBytes() {
        long[] free = new long[1];
        Driver.check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, new long[1]));
        return free[0];
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
