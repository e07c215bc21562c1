package io.tailrace.operators.intake;

import static io.tailrace.operators.Preconditions.require;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Remembers the request hashes of the last while, to recognise repeats. Time is the highest that it was told; the times of records from
 * several brokers may fall from one to the next.
 *
 * <p>Hashes lie in buckets, each an open-addressing table of primitive longs; a new bucket is begun when the open one is an
 * eighth of the horizon old or holds an eighth of the hashes allowed, and a bucket is dropped as a whole. So a repeat is
 * recognised for the whole horizon, unless seven eighths of {@code hashesMax} other requests lie between. Adding
 * and asking cost a few probes in at most {@value #BUCKETS_MAX} tables; memory is 32 to 64 bytes a hash.
 *
 * <p>For checkpoints the hashes are handed out in chunks of at most {@value #CHUNK_HASHES}: an addition changes one small
 * chunk, whatever the horizon holds.
 */
final class DuplicateHorizon {
    private static final int BUCKETS = 8;
    static final int BUCKETS_MAX = 2 * BUCKETS + 1;
    static final int CHUNK_HASHES = 64;

    private final long horizonMillis;
    private final int hashesMax;
    private final Deque<Bucket> buckets = new ArrayDeque<>();
    private final List<Long> droppedChunks = new ArrayList<>();
    private long nextChunk;
    private int size;
    private long time = Long.MIN_VALUE;

    DuplicateHorizon(long horizonMillis, int hashesMax) {
        require(horizonMillis > 0, "horizonMillis must be > 0, got %d", horizonMillis);
        require(hashesMax >= BUCKETS, "hashesMax must be >= %d, got %d", BUCKETS, hashesMax);
        this.horizonMillis = horizonMillis;
        this.hashesMax = hashesMax;
    }

    /** One rotation's hashes: a table for asking, and their order for checkpointing. */
    private static final class Bucket {
        private final long number;
        private final long openedAt;
        private long newestAt;
        private long[] table = new long[4 * CHUNK_HASHES];
        private int count;
        private boolean zeroPresent;
        private final List<Long> chunks = new ArrayList<>();
        private long[] openChunk = new long[2 * CHUNK_HASHES];
        private int openCount;

        private Bucket(long number, long openedAt) {
            this.number = number;
            this.openedAt = openedAt;
        }

        private boolean contains(long high, long low) {
            if ((high | low) == 0) {
                return zeroPresent;
            }
            int slot = slot(table, high, low);
            return (table[slot] | table[slot + 1]) != 0;
        }

        private void insert(long high, long low) {
            if ((high | low) == 0) {
                zeroPresent = true;
            } else {
                if (4 * (count + 1) > table.length) {
                    grow();
                }
                put(table, high, low);
            }
            count++;
        }

        private void grow() {
            long[] larger = new long[2 * table.length];
            for (int i = 0; i < table.length; i += 2) {
                if ((table[i] | table[i + 1]) != 0) {
                    put(larger, table[i], table[i + 1]);
                }
            }
            table = larger;
        }

        private static void put(long[] table, long high, long low) {
            int slot = slot(table, high, low);
            table[slot] = high;
            table[slot + 1] = low;
        }

        /** Where the hash lies, or the empty place where it would. */
        private static int slot(long[] table, long high, long low) {
            int mask = table.length - 1;
            int slot = (int) (high << 1) & mask;
            while ((table[slot] | table[slot + 1]) != 0 && (table[slot] != high || table[slot + 1] != low)) {
                slot = (slot + 2) & mask;
            }
            return slot;
        }
    }

    /** True if the hash was added within the horizon. */
    boolean contains(long high, long low, long atMillis) {
        time = Math.max(time, atMillis);
        dropOld();
        for (Bucket bucket : buckets) {
            if (bucket.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    /** Adds a hash that {@link #contains} has just denied. */
    void add(long high, long low) {
        Bucket open = openBucket();
        open.insert(high, low);
        open.newestAt = time;
        if (open.openCount == CHUNK_HASHES || open.chunks.isEmpty()) {
            open.chunks.add(nextChunk++);
            open.openChunk = new long[2 * CHUNK_HASHES];
            open.openCount = 0;
        }
        open.openChunk[2 * open.openCount] = high;
        open.openChunk[2 * open.openCount + 1] = low;
        open.openCount++;
        size++;
    }

    private Bucket openBucket() {
        Bucket open = buckets.peekLast();
        if (open == null
                || open.count >= hashesMax / BUCKETS
                || time - open.openedAt >= Math.max(1, horizonMillis / BUCKETS)) {
            open = new Bucket(open == null ? 0 : open.number + 1, time);
            buckets.addLast(open);
            while (size > hashesMax - hashesMax / BUCKETS || buckets.size() > BUCKETS_MAX) {
                dropFirst();
            }
        }
        return open;
    }

    private void dropOld() {
        while (!buckets.isEmpty() && buckets.peekFirst().newestAt < time - horizonMillis) {
            dropFirst();
        }
    }

    private void dropFirst() {
        Bucket first = buckets.removeFirst();
        size -= first.count;
        droppedChunks.addAll(first.chunks);
    }

    /** All hashes are dropped, and what a checkpoint holds of them may go. */
    void clear() {
        buckets.clear();
        droppedChunks.clear();
        size = 0;
    }

    int size() {
        return size;
    }

    /** Number of the chunk that the last addition changed. */
    long changedChunk() {
        List<Long> chunks = buckets.getLast().chunks;
        return chunks.get(chunks.size() - 1);
    }

    /** The chunk that the last addition changed; a copy. */
    Chunk changedChunkContent() {
        Bucket open = buckets.getLast();
        return new Chunk(open.number, open.newestAt, Arrays.copyOf(open.openChunk, 2 * open.openCount));
    }

    /** Numbers of the chunks that were dropped since the last call. */
    List<Long> takeDroppedChunks() {
        List<Long> dropped = List.copyOf(droppedChunks);
        droppedChunks.clear();
        return dropped;
    }

    /** Takes up the chunks of a checkpoint; for an empty horizon only. */
    void restore(Map<Long, Chunk> chunks) {
        require(size == 0, "restore needs an empty horizon, this one holds %d hashes", size);
        for (Map.Entry<Long, Chunk> entry : new TreeMap<>(chunks).entrySet()) {
            Chunk chunk = entry.getValue();
            Bucket bucket = buckets.peekLast();
            if (bucket == null || bucket.number != chunk.bucket()) {
                bucket = new Bucket(chunk.bucket(), chunk.newestAt());
                buckets.addLast(bucket);
            }
            restoreChunk(bucket, entry.getKey(), chunk);
        }
    }

    private void restoreChunk(Bucket bucket, long number, Chunk chunk) {
        long[] hashes = chunk.hashes();
        for (int i = 0; i < hashes.length; i += 2) {
            bucket.insert(hashes[i], hashes[i + 1]);
        }
        bucket.chunks.add(number);
        bucket.newestAt = Math.max(bucket.newestAt, chunk.newestAt());
        time = Math.max(time, chunk.newestAt());
        bucket.openChunk = Arrays.copyOf(hashes, 2 * CHUNK_HASHES);
        bucket.openCount = hashes.length / 2;
        size += hashes.length / 2;
        nextChunk = number + 1;
    }

    /** The structure's own promises; for tests. */
    void checkInvariants() {
        int counted = 0;
        long previous = -1;
        for (Bucket bucket : buckets) {
            counted += bucket.count;
            require(bucket.number > previous, "bucket numbers must rise, got %d after %d", bucket.number, previous);
            require(bucket.count > 0, "bucket %d is empty", bucket.number);
            previous = bucket.number;
        }
        require(counted == size, "buckets hold %d hashes, size says %d", counted, size);
        require(size <= hashesMax, "%d hashes are more than the %d allowed", size, hashesMax);
    }

    /**
     * A piece of a duplicate horizon as it is checkpointed.
     *
     * @param bucket number of the bucket it belongs to; rises
     * @param newestAt when its newest hash was added, epoch milliseconds
     * @param hashes two longs a request: high, low
     */
    record Chunk(long bucket, long newestAt, long[] hashes) {}
}
