package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.SimilarImage;
import io.tailrace.gpu.SnapshotImage;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import jcuda.driver.CUstream;

/**
 * The kernels of a step, over the contexts' pool and the step's arrays. A step has three parts, {@link #draft}, {@link #fill} and
 * {@link #verify}, each with the copies it needs; what changes from step to step is data in the arrays, so that a part can be captured
 * once for each number of entries. Nothing here waits.
 */
final class StepKernels implements AutoCloseable {
    private static final int WARP = 32;
    private static final int SAMPLE_THREADS = 512;
    private static final int SLOT_FIXED_BYTES = 256 + 65_536;
    private static final int SLOT_TOKEN_BYTES = 73;
    private static final int SPILL_BYTES = 16;
    private static final int SLOT_ALIGNMENT = 256;
    /** Size of {@code struct Workspace} by budget. */
    private static final Map<Integer, Integer> WORKSPACE_BYTES = Map.of(16, 43_368, 32, 59_816, 64, 92_712);

    private final KernelModule kernels;
    private final DeviceLimits limits;
    private final Closings owned = new Closings();
    private final DeviceMemory pool;
    private final StepMemory memory;

    /** Reserves pool and arrays, and queues the pool's clearing. */
    StepKernels(KernelModule kernels, DeviceLimits limits, CUstream stream) {
        this.kernels = kernels;
        this.limits = limits;
        try {
            kernels.allowSharedBytes(draftKernel(), WORKSPACE_BYTES.get(limits.budgetMax()));
            pool = new DeviceMemory(limits.slots() * slotBytes(limits.contextTokensMax()));
            owned.add(pool::close);
            memory = new StepMemory(limits);
            owned.add(memory::close);
            int seed = new SecureRandom().nextInt();
            launch(
                    stream,
                    "tailrace_clear_pool",
                    limits.slots(),
                    1,
                    1,
                    pool.address(),
                    limits.contextTokensMax(),
                    seed);
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    /** Bytes that a slot reserves: 97 a token, 64 KiB, and the room for similar requests' answers at its end. */
    private static long slotBytes(int tokensMax) {
        long spilled = tokensMax + tokensMax / 2 + 2L;
        long bytes = SLOT_FIXED_BYTES + (long) tokensMax * SLOT_TOKEN_BYTES + spilled * SPILL_BYTES;
        return (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT + SimilarImage.BYTES_MAX;
    }

    StepMemory memory() {
        return memory;
    }

    /** Queues that the slots of the first entries take the contexts that are staged, of so many tokens together. */
    void add(CUstream stream, int entries, int tokens) {
        memory.slots.up(entries, stream);
        memory.text.up(tokens, stream);
        memory.starts.up(entries + 1, stream);
        launch(stream, "tailrace_add", entries, 1, WARP, onPool(memory.text.address(), memory.starts.address()));
    }

    /** Queues the copy of similar requests' answers to a slot. They must be reachable until it is done. */
    void similar(CUstream stream, int slot, ByteBuffer image) {
        long slotBytes = slotBytes(limits.contextTokensMax());
        pool.upload((slot + 1) * slotBytes - SimilarImage.BYTES_MAX, image, stream);
    }

    /** Queues the drafts of slots, lanes and budgets as staged. */
    void draft(CUstream stream, int entries) {
        memory.lanes.up(entries, stream);
        memory.slots.up(entries, stream);
        memory.budgets.up(entries, stream);
        prepare(stream, entries);
        search(stream, entries);
        grow(stream, entries);
    }

    /** Queues the cut of each draft to its first nodes, as staged, and its writing into the seats and the pass that are staged. */
    void fill(CUstream stream, int entries) {
        memory.seats.up(entries, stream);
        memory.pass.up(1, stream);
        trim(stream, entries);
        launch(
                stream,
                "tailrace_fill",
                entries,
                limits.budgetMax(),
                WARP,
                memory.drafts.address(),
                memory.shapes.address(),
                memory.seats.address(),
                memory.pass.address());
    }

    /** Queues choice, walk and extension with the logits, rows and rules that are staged, and the copies of what came of it. */
    void verify(CUstream stream, int entries) {
        memory.logits.up(1, stream);
        memory.samplings.up(entries, stream);
        memory.firstRows.up(entries, stream);
        sample(stream, entries);
        accept(stream, entries);
        extend(stream, entries);
        memory.drafts.down(entries, stream);
        memory.verdicts.down(entries, stream);
    }

    /** Queues the cut of each draft to its first nodes, as staged. */
    void trim(CUstream stream, int entries) {
        memory.nodes.up(entries, stream);
        launch(
                stream,
                "tailrace_trim",
                entries,
                1,
                1,
                memory.nodes.address(),
                memory.drafts.address(),
                memory.shapes.address());
    }

    /** Queues the mask among each draft's rows. */
    void mask(CUstream stream, int entries, long mask) {
        int rows = limits.rowsMax();
        launch(stream, "tailrace_mask", entries, rows, WARP, memory.shapes.address(), rows, mask);
    }

    void prepare(CUstream stream, int entries) {
        launch(
                stream,
                "tailrace_prepare",
                entries,
                1,
                1,
                memory.slots.address(),
                limits.slots(),
                memory.drafts.address(),
                memory.verdicts.address());
    }

    void search(CUstream stream, int entries) {
        Object[] arguments = onPool(memory.lanes.address(), memory.found.address());
        launch(stream, "tailrace_search", entries, 2 * SnapshotImage.PARTS_MAX, WARP, arguments);
    }

    void grow(CUstream stream, int entries) {
        KernelModule.Shape shape = new KernelModule.Shape(entries, 1, WARP, WORKSPACE_BYTES.get(limits.budgetMax()));
        Object[] arguments = onPool(
                memory.lanes.address(),
                memory.found.address(),
                memory.budgets.address(),
                memory.drafts.address(),
                memory.shapes.address());
        kernels.launch(draftKernel(), shape, stream, arguments);
    }

    void sample(CUstream stream, int entries) {
        Object[] arguments = onPool(
                memory.shapes.address(),
                memory.logits.address(),
                memory.firstRows.address(),
                memory.samplings.address(),
                memory.chosen.address());
        launch(stream, "tailrace_sample", entries, limits.rowsMax(), SAMPLE_THREADS, arguments);
    }

    void accept(CUstream stream, int entries) {
        launch(
                stream,
                "tailrace_accept",
                entries,
                1,
                1,
                memory.slots.address(),
                limits.slots(),
                memory.drafts.address(),
                memory.chosen.address(),
                memory.verdicts.address());
    }

    void extend(CUstream stream, int entries) {
        launch(stream, "tailrace_extend", entries, 1, WARP, onPool(memory.verdicts.address()));
    }

    @Override
    public void close() {
        owned.close();
    }

    private String draftKernel() {
        return "tailrace_draft_" + limits.budgetMax();
    }

    private void launch(CUstream stream, String kernel, int columns, int rows, int threads, Object... arguments) {
        kernels.launch(kernel, new KernelModule.Shape(columns, rows, threads, 0), stream, arguments);
    }

    /** What every kernel on the contexts begins with, and then its own. */
    private Object[] onPool(Object... others) {
        Object[] arguments = new Object[others.length + 4];
        arguments[0] = pool.address();
        arguments[1] = limits.slots();
        arguments[2] = limits.contextTokensMax();
        arguments[3] = memory.slots.address();
        System.arraycopy(others, 0, arguments, 4, others.length);
        return arguments;
    }
}
