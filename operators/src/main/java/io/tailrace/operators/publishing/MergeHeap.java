package io.tailrace.operators.publishing;

import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.SidecarSize;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.concurrent.Semaphore;

/**
 * What merges may take of a process's heap: five eighths for those of older segments, one for folds, so that no announcement waits for a large merge. All
 * lanes of a TaskManager share it, and a merge that finds no room waits. Plans are made to fit their part; what cannot be divided and is larger
 * takes both.
 */
final class MergeHeap {
    private static final MergeHeap OF_THIS_PROCESS =
            new MergeHeap(Runtime.getRuntime().maxMemory());
    private static final int PERMIT_BYTES = 1 << 10;

    private final long heapBytes;
    private final Part folds;
    private final Part older;

    /** @param heapBytes of the process */
    MergeHeap(long heapBytes) {
        this.heapBytes = heapBytes;
        folds = new Part(heapBytes / 8);
        older = new Part(olderBytes(heapBytes));
    }

    private static long olderBytes(long heapBytes) {
        return heapBytes / 8 * 5;
    }

    /** Heap of a process that has room for lanes of so many tokens. */
    static long bytesMin(long laneTokens) {
        return (Compaction.heapBytes(laneTokens) + 4) / 5 * 8;
    }

    static MergeHeap ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /** What merging these takes, as estimated. */
    static long bytes(Collection<StoredSegment> segments) {
        return segments.stream().mapToLong(MergeHeap::bytes).sum();
    }

    static long bytes(StoredSegment segment) {
        return Compaction.heapBytes(segment.textTokens(), segment.documents(), segment.sidecarSize());
    }

    /** What a generation adds to a merge. */
    static long bytes(AdmittedGeneration generation) {
        int tokens = generation.tokens().length + generation.promptTail().length;
        return Compaction.heapBytes(tokens, 1, SidecarSize.ofGeneration(generation.producer()));
    }

    static long bytes(MergePlan plan) {
        return bytes(plan.inputs())
                + plan.generations().stream().mapToLong(MergeHeap::bytes).sum();
    }

    /** Most that a plan of that kind is to take. */
    long bytesMax(MergePlan.Kind kind) {
        return part(kind).bytes;
    }

    private Part part(MergePlan.Kind kind) {
        return kind == MergePlan.Kind.FOLD ? folds : older;
    }

    /**
     * Refuses lanes that could not be merged.
     *
     * @throws IllegalStateException if the heap is too small for them
     */
    void requireRoomFor(PublishingOptions options) {
        long lane = Compaction.heapBytes(options.laneTokensMax());
        if (lane > older.bytes) {
            throw new IllegalStateException(
                    "to merge a lane of %d tokens takes about %d MiB of heap, %d of this process's %d MiB are for that; give the TaskManager more memory (taskmanager.memory.process.size) or lower --lane-tokens to %d"
                            .formatted(
                                    options.laneTokensMax(),
                                    (lane >> 20) + 1,
                                    older.bytes >> 20,
                                    heapBytes >> 20,
                                    (long) ((double) options.laneTokensMax() / lane * older.bytes)));
        }
    }

    /** Waits until there is room for a plan; what is returned gives it back. */
    Share take(MergePlan plan) throws IOException {
        long bytes = bytes(plan);
        Part part = part(plan.kind());
        try {
            if (bytes <= part.bytes) {
                return part.take(bytes);
            }
            if (bytes > folds.bytes + older.bytes) {
                throw new IOException(
                        "a merge of %d tokens needs about %d MiB of heap, and merges may take %d MiB of this process; give the TaskManager more memory (taskmanager.memory.process.size)"
                                .formatted(plan.inputTokens(), bytes >> 20, (folds.bytes + older.bytes) >> 20));
            }
            Share ofOlder = older.take(older.bytes);
            try {
                Share ofFolds = folds.take(folds.bytes);
                return () -> {
                    ofFolds.close();
                    ofOlder.close();
                };
            } catch (InterruptedException e) {
                ofOlder.close();
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a merge waited for room in the heap");
        }
    }

    /** Room for one merge. */
    interface Share extends AutoCloseable {
        @Override
        void close();
    }

    private static final class Part {
        private final long bytes;
        private final Semaphore permits;

        Part(long bytes) {
            this.bytes = bytes;
            this.permits = new Semaphore(permits(bytes), true);
        }

        Share take(long wanted) throws InterruptedException {
            int taken = permits(wanted);
            permits.acquire(taken);
            return () -> permits.release(taken);
        }

        private static int permits(long bytes) {
            return Math.toIntExact(bytes / PERMIT_BYTES);
        }
    }
}
