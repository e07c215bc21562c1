package io.tailrace.gpu.driver;

import io.tailrace.gpu.DeviceLimits;
import io.tailrace.gpu.LogitsRows;
import io.tailrace.gpu.PassInputs;
import io.tailrace.gpu.SnapshotImage;
import java.util.Map;
import jcuda.driver.CUstream;

/**
 * The kernels of a step, each queued by one call, over the contexts' pool and the step's arrays. A step is: prepare, search, grow;
 * then trim and fill, or mask; the model's pass; then sample, accept, extend. Nothing here waits.
 */
final class StepKernels implements AutoCloseable {
    private static final int WARP = 32;
    private static final int SAMPLE_THREADS = 256;
    private static final int SLOT_FIXED_BYTES = 64 + 65_536;
    private static final int SLOT_TOKEN_BYTES = 72;
    private static final int SPILL_BYTES = 16;
    private static final int SLOT_ALIGNMENT = 256;
    /** Size of {@code struct Workspace} by budget. */
    private static final Map<Integer, Integer> WORKSPACE_BYTES = Map.of(16, 24_952, 32, 33_880, 64, 51_736);

    private final KernelModule kernels;
    private final DeviceLimits limits;
    private final CUstream stream;
    private final Closings owned = new Closings();
    private final DeviceMemory pool;
    private final StepMemory memory;
    private int batch;

    /** Reserves pool and arrays, and queues the pool's clearing. */
    StepKernels(KernelModule kernels, DeviceLimits limits, CUstream stream) {
        this.kernels = kernels;
        this.limits = limits;
        this.stream = stream;
        try {
            kernels.allowSharedBytes(draftKernel(), WORKSPACE_BYTES.get(limits.budgetMax()));
            pool = new DeviceMemory(limits.slots() * slotBytes(limits.contextTokensMax()));
            owned.add(pool::close);
            memory = new StepMemory(limits);
            owned.add(memory::close);
            KernelModule.Shape each = new KernelModule.Shape(limits.slots(), 1, 1, 0);
            kernels.launch("tailrace_clear_pool", each, stream, pool.address(), limits.contextTokensMax());
        } catch (RuntimeException e) {
            throw owned.closeAfter(e);
        }
    }

    /** Bytes that a slot reserves: 96 a token and 64 KiB. */
    static long slotBytes(int tokensMax) {
        long spilled = tokensMax + tokensMax / 2 + 2L;
        long bytes = SLOT_FIXED_BYTES + (long) tokensMax * SLOT_TOKEN_BYTES + spilled * SPILL_BYTES;
        return (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    }

    StepMemory memory() {
        return memory;
    }

    /** Entries of the step in hand. */
    int batch() {
        return batch;
    }

    /** Begins a step of so many entries. */
    void begin(int entries) {
        batch = entries;
    }

    /** Queues that slots take contexts: entry i's is {@code text[starts[i]]} to {@code text[starts[i + 1]]}. */
    void add(int entries, DeviceMemory text, DeviceMemory starts) {
        launch("tailrace_add", entries, 1, WARP, onPool(text.address(), starts.address()));
    }

    /** Queues the emptying of what the last step left. */
    void prepare() {
        launch(
                "tailrace_prepare",
                batch,
                1,
                1,
                memory.slots.address(),
                limits.slots(),
                memory.drafts.address(),
                memory.verdicts.address());
    }

    /** Queues the search for occurrences. */
    void search() {
        Object[] arguments = onPool(memory.lanes.address(), memory.found.address());
        launch("tailrace_search", batch, 2 * SnapshotImage.PARTS_MAX, WARP, arguments);
    }

    /** Queues the drafts' growth from what was found. */
    void grow() {
        KernelModule.Shape shape = new KernelModule.Shape(batch, 1, WARP, WORKSPACE_BYTES.get(limits.budgetMax()));
        Object[] arguments = onPool(
                memory.lanes.address(),
                memory.found.address(),
                memory.budgets.address(),
                memory.drafts.address(),
                memory.shapes.address());
        kernels.launch(draftKernel(), shape, stream, arguments);
    }

    /** Queues the cut of each draft to its first nodes. */
    void trim() {
        launch("tailrace_trim", batch, 1, 1, memory.nodes.address(), memory.drafts.address(), memory.shapes.address());
    }

    /** Queues the mask among each draft's rows. */
    void mask(long mask) {
        int rows = limits.rowsMax();
        launch("tailrace_mask", batch, rows, WARP, memory.shapes.address(), rows, mask);
    }

    /** Queues the writing of the drafts into a pass's inputs. */
    void fill(PassInputs pass, int widest) {
        launch(
                "tailrace_fill",
                batch,
                widest,
                WARP,
                memory.drafts.address(),
                memory.shapes.address(),
                memory.seats.address(),
                pass.vocabulary(),
                pass.tokens(),
                pass.positions(),
                pass.blocked());
    }

    /** Queues the choice of a token at each row. */
    void sample(LogitsRows rows) {
        Object[] arguments = onPool(
                memory.shapes.address(),
                rows.address(),
                memory.firstRows.address(),
                rows.vocabulary(),
                memory.samplings.address(),
                memory.chosen.address());
        launch("tailrace_sample", batch, limits.rowsMax(), SAMPLE_THREADS, arguments);
    }

    /** Queues the walk along what was chosen. */
    void accept() {
        launch(
                "tailrace_accept",
                batch,
                1,
                1,
                memory.slots.address(),
                limits.slots(),
                memory.drafts.address(),
                memory.chosen.address(),
                memory.verdicts.address());
    }

    /** Queues the contexts' extension by what was accepted. */
    void extend() {
        launch("tailrace_extend", batch, 1, WARP, onPool(memory.verdicts.address()));
    }

    @Override
    public void close() {
        owned.close();
    }

    private String draftKernel() {
        return "tailrace_draft_" + limits.budgetMax();
    }

    private void launch(String kernel, int columns, int rows, int threads, Object... arguments) {
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
