package io.tailrace.suffix.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes segments with their sidecars: from a memtable's generations, and from other segments. */
public final class Compaction {
    private Compaction() {}

    /** One generation on its way into a segment. */
    public record Input(GenerationEntry entry, int[] tokens) {}

    /**
     * What came out. {@code files} and {@code summary} are null if nothing was left to keep.
     *
     * @param expiredTokens tokens of the generations dropped for age or budget
     * @param deletedTokens tokens of the generations dropped because they were deleted
     */
    public record Result(SegmentFiles files, SegmentSummary summary, long expiredTokens, long deletedTokens) {}

    /** Writes the generations as a level-0 segment into {@code folder}, forced to disk and verified by reading it back. */
    public static Result flush(List<Input> generations, SegmentIdentity identity, Path folder) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Merges segments into one in {@code folder}; the bytes are those of a flush of the surviving generations. The inputs
     * stay untouched.
     */
    public static Result merge(List<SegmentFiles> inputs, Retention retention, SegmentIdentity identity, Path folder)
            throws IOException {
        throw new UnsupportedOperationException();
    }
}
