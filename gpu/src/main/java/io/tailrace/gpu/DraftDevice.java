package io.tailrace.gpu;

import io.tailrace.suffix.draft.SimilarTexts;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A processor that holds lanes' snapshots and the running requests' contexts, and drafts for a whole batch at once.
 *
 * <p>A step that waits once: {@link #draft} queues search and growth, {@link #fill} their writing into the inputs of a pass that the
 * host has planned meanwhile, the model queues its pass, {@link #verify} queues sampling, the walk along the tree, and the contexts'
 * extension; {@link #outcomes} waits, and brings what was drafted and accepted to the host.
 *
 * <p>Where the pass's inputs are out of reach, a step waits twice: {@link #drafts} brings the drafts to the host, which plans the
 * pass with as much of them as it likes, says so with {@link #trim}, and asks for the {@link #verdicts}.
 *
 * <p>Steps are one thread's; {@link #publish} and {@link #sweep} may come from another one at any time.
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
     * How many bytes of segments and vocabularies the caller should publish at most, all lanes together: the limit, or what came of the free memory.
     * While a snapshot is swapped, two of its lane are there, and up to four blocks are kept for the next ones.
     */
    long laneBytesMax();

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

    /** Puts requests into slots: each slot's context becomes the given tokens, the prompt; what is accepted later is the answer. */
    void add(int[] slots, int[][] prompts);

    /**
     * Queues the copy of the answers to the requests most like a slot's, in place of those it had; {@link #add} leaves it none. No waiting.
     *
     * @param texts may change when this returns
     */
    void similar(int slot, SimilarTexts texts);

    /**
     * Queues a batch's drafts. Waits only if the batch before was not waited for.
     *
     * @param slots a slot a batch entry; {@link #NONE} for an idle one
     * @param lanes what each drafts from; {@link #NONE}: it gets no draft, but its context's flags
     * @param budgets most nodes of each
     */
    void draft(int[] slots, int[] lanes, int[] budgets);

    /** Waits for the drafts queued last. */
    List<DeviceDraft> drafts();

    /** Queues the cut of each draft to its first nodes; the copies that {@link #drafts} gave stay as they are. */
    void trim(int[] nodes);

    /**
     * Queues the cut of each draft to its seat, and its writing into the inputs of a pass that was planned without knowing it. No
     * waiting, unless the inputs are in the host's memory: then all is written when this returns.
     *
     * @throws IllegalArgumentException for memory that the device cannot write, or a seat wider than the budget
     */
    void fill(PassInputs pass);

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

    /** Waits once for the verdicts queued last and the drafts that they judge. The drafts are views, until the next step. */
    List<DeviceOutcome> outcomes();

    @Override
    void close();
}
