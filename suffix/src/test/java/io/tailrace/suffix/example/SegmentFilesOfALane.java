package io.tailrace.suffix.example;

import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Retention;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes answers into segment files, merges them, and maps what came out. */
final class SegmentFilesOfALane {
    private static final SegmentIdentity LANE = new SegmentIdentity("llama@1/acme", 128_000, "tokenizer-1");

    private SegmentFilesOfALane() {}

    /** How often the pattern occurs in both answers. */
    static long count(Path folder, int[] oneAnswer, int[] another, int[] pattern) throws IOException {
        Compaction.Files one = write(folder, 1, oneAnswer);
        Compaction.Files two = write(folder, 2, another);
        Compaction.Result merged = Compaction.merge(List.of(one, two), Retention.everything(), LANE, folder);
        try (Segment segment = Segment.openVerified(merged.files().segment(), LANE)) {
            return segment.count(pattern);
        }
    }

    private static Compaction.Files write(Path folder, long request, int[] answer) throws IOException {
        GenerationEntry entry = new GenerationEntry(0, request, "replica-1", System.currentTimeMillis());
        return Compaction.flush(List.of(new Compaction.Input(entry, answer)), LANE, folder)
                .files();
    }
}
