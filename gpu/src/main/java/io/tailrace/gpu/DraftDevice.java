package io.tailrace.gpu;

import java.util.List;

/**
 * A processor that holds a snapshot and the running requests' contexts, and drafts for a whole batch at once.
 *
 * <p>A step: {@link #draft} queues search and growth; the model's forward pass goes on with the drafts where they lie;
 * {@link #verify} queues sampling, the walk along the tree, and extends the contexts; {@link #verdicts} waits once, and brings the
 * accepted tokens to the host. Steps are one thread's; {@link #publish} may come from another one at any time.
 *
 * <p>Errors: {@link DeviceException} for what the device refuses, {@link IllegalArgumentException} for what passes the limits. What
 * does not fit for one request is a flag of its draft.
 */
public interface DraftDevice extends AutoCloseable {
    /** What it is, for people. */
    String name();

    /** Uploads a snapshot beside the live one, checks it there, and swaps. On failure the live one stays. */
    void publish(SnapshotImage snapshot);

    /** Puts requests into slots: each slot's context becomes the given tokens. */
    void add(int[] slots, int[][] contexts);

    /**
     * Queues a batch's drafts. No waiting.
     *
     * @param slots a slot a batch entry; -1 for an idle one
     * @param budgets most nodes of each
     * @param probabilityFloor no node below this path probability
     */
    void draft(int[] slots, int[] budgets, float probabilityFloor);

    /** Waits for the drafts queued last. */
    List<DeviceDraft> drafts();

    /**
     * Queues the attention mask among the rows of the last drafts' verification: 0 or minus infinity.
     *
     * @param mask address of batch x rows x rows floats on the device
     */
    void mask(long mask);

    /**
     * Queues sampling, acceptance and the contexts' extension. No waiting.
     *
     * @param logits address of batch x rows x vocabulary floats on the device; row 0 follows the context's last token, row i + 1
     *     node i
     * @param vocabulary tokens of a row
     * @param rules one a batch entry
     */
    void verify(long logits, int vocabulary, List<SamplingRule> rules);

    /** Waits for the verdicts queued last. */
    List<DeviceVerdict> verdicts();

    @Override
    void close();
}
