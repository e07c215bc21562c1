package io.tailrace.operators.admission;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A generation that passed admission, on its way into its shard.
 *
 * @param lane as text, see {@link io.tailrace.schemas.LaneId}
 * @param shard 0 to shards - 1
 * @param requestHigh first half of the request id's hash
 * @param requestLow second half
 * @param completedAt epoch milliseconds
 * @param arrivedAt when the brokers took it, by their clock and no later than the job's; epoch milliseconds
 * @param promptTail the prompt's last tokens, for matching only
 * @param signature of the prompt, as {@link PromptSignature#bytes}; empty: none
 * @param copied a bit for each token that stood in its context before, where there is a signature
 * @param tokens what is indexed: the response, or prompt and response where the scope opted in
 * @param partition it came from, as {@link BoundTopics#place} numbers them
 * @param offset in that partition
 */
public record AdmittedGeneration(
        String lane,
        int shard,
        long requestHigh,
        long requestLow,
        String producer,
        long completedAt,
        long arrivedAt,
        int[] promptTail,
        byte[] signature,
        byte[] copied,
        int[] tokens,
        int partition,
        long offset) {
    private static final int BYTES_BESIDE_ARRAYS = 400;

    /** What it takes of the heap, about: its arrays, and itself with its two texts. */
    public long heapBytes() {
        long tokenBytes = (long) Integer.BYTES * (tokens.length + promptTail.length);
        return BYTES_BESIDE_ARRAYS + tokenBytes + signature.length + copied.length;
    }

    /** True if both came of one record. */
    public boolean isOf(AdmittedGeneration other) {
        return partition == other.partition
                && offset == other.offset
                && requestHigh == other.requestHigh
                && requestLow == other.requestLow;
    }

    /** What the stream is keyed by from here on. */
    public String shardKey() {
        return lane + "#" + shard;
    }

    public Compaction.Input toInput() {
        return new Compaction.Input(
                new GenerationEntry(requestHigh, requestLow, producer, completedAt),
                new RememberedAnswer(
                        promptTail,
                        tokens,
                        signature.length == 0 ? null : BitSet.valueOf(copied),
                        PromptSignature.ofBytes(ByteBuffer.wrap(signature))));
    }
}
