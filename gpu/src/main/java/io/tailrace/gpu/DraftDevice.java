package io.tailrace.gpu;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A processor that holds lanes' snapshots and the running requests' contexts, and drafts for a whole batch at once.
 *
 * <p>A step: {@link #draft} queues search and growth, {@link #drafts} waits for them; the host may {@link #trim} them; the model's
 * forward pass goes on with them; {@link #verify} queues sampling, the walk along the tree, and extends the contexts;
 * {@link #verdicts} waits, and brings the accepted tokens to the host. A forward pass that reads the drafts where they lie needs
 * no {@link #drafts}: then a step waits once. Steps are one thread's; {@link #publish} and {@link #sweep} may come from another one
 * at any time.
 *
 * <p>Errors: {@link DeviceException} for what the device refuses, {@link IllegalArgumentException} for what passes the limits. What
 * does not fit for one request is a flag of its draft.
 */
public interface DraftDevice extends AutoCloseable {
    /** In the place of a slot or a lane. */
    int NONE = -1;

    /** What it is, for people. */
    String name();

    /** What was reserved. */
    DeviceLimits limits();

    /**
     * Uploads a lane's snapshot beside its live one, checks it there, and swaps. On failure the live one stays.
     *
     * @param lane a number from 0, of the caller's choice
     */
    void publish(int lane, SnapshotImage snapshot);

    /** Forgets a lane. Does nothing for one that was never published. */
    void drop(int lane);

    /** Frees snapshots that were swapped away and that no step reads any more; true if none is left. */
    boolean sweep();

    /** Puts requests into slots: each slot's context becomes the given tokens. */
    void add(int[] slots, int[][] contexts);

    /**
     * Queues a batch's drafts. Waits only if the batch before was not waited for.
     *
     * @param slots a slot a batch entry; {@link #NONE} for an idle one
     * @param lanes what each drafts from; {@link #NONE}: it gets no draft
     * @param budgets most nodes of each
     */
    void draft(int[] slots, int[] lanes, int[] budgets);

    /** Waits for the drafts queued last. */
    List<DeviceDraft> drafts();

    /** Queues the cut of each draft to its first nodes; the copies that {@link #drafts} gave stay as they are. */
    void trim(int[] nodes);

    /**
     * Queues the attention mask among the rows of the last drafts' verification: 0 or minus infinity.
     *
     * @param mask address of batch x rows x rows floats on the device
     */
    void mask(long mask);

    /** Whether kernels can read memory of a device, {@code cpu} or {@code cuda:N}, by its address. */
    boolean reads(String device);

    /**
     * Queues a copy of logits that the device cannot read where they lie.
     *
     * @param rows floats in a direct buffer, little-endian
     * @return where they are until the next such call
     */
    long stage(ByteBuffer rows);

    /**
     * Queues sampling, acceptance and the contexts' extension. No waiting.
     *
     * @param rows where the logits lie
     * @param rules one a batch entry
     */
    void verify(LogitsRows rows, List<SamplingRule> rules);

    /** Waits for the verdicts queued last. */
    List<DeviceVerdict> verdicts();

    @Override
    void close();
}
