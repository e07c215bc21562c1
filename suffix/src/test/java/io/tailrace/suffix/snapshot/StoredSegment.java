package io.tailrace.suffix.snapshot;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real segment in a store, and a folder that fetches it from there. */
final class StoredSegment {
    static final SegmentIdentity LANE = new SegmentIdentity("model@1/test", 1000, "tokenizer");
    /** Numbers of sections, as the files have them. */
    static final int TEXT = 1;

    static final int DOCUMENT_STARTS = 5;

    static final int TAILS = 10;
    private static final int SECTION_TABLE = 104;
    private static final int ENTRY_BYTES = 24;

    private final Path original;
    private final SegmentFile file;
    private final Path cache;
    private int downloads;

    private StoredSegment(Path original, SegmentFile file, Path cache) {
        this.original = original;
        this.file = file;
        this.cache = cache;
    }

    static StoredSegment write(Path folder) throws IOException {
        List<Compaction.Input> inputs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            RememberedAnswer answer = new RememberedAnswer(
                    new int[] {1, 2, 3}, new int[] {i, i + 1, i + 2, i + 3}, PromptSignature.of(new int[] {i, 5, 6}));
            inputs.add(new Compaction.Input(new GenerationEntry(1, i, "p", i), answer));
        }
        Compaction.Result result = Compaction.flush(inputs, LANE, Files.createDirectories(folder.resolve("store")));
        SegmentFile file = new SegmentFile(
                "lane/one.segment", result.summary().sha256(), result.summary().sizeBytes());
        return new StoredSegment(result.files().segment(), file, folder.resolve("cache"));
    }

    /** @param reported told the SHA-256 of what is found damaged */
    SegmentFolder folder(List<String> reported) throws IOException {
        return new SegmentFolder(
                (wanted, target) -> {
                    downloads++;
                    Files.copy(original, target);
                },
                cache,
                Long.MAX_VALUE,
                SegmentOpener.segments(),
                (sha256, damage) -> reported.add(sha256));
    }

    /** Turns a bit of the local copy: the highest but one of a number in the middle of a section. */
    void rot(int section) throws IOException {
        byte[] bytes = Files.readAllBytes(cached());
        long offset = ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(SECTION_TABLE + (section - 1) * ENTRY_BYTES + 8);
        bytes[(int) offset + 10 * Integer.BYTES + 3] ^= 0x40;
        Files.write(cached(), bytes);
    }

    SegmentFile file() {
        return file;
    }

    Path original() {
        return original;
    }

    Path cached() {
        return cache.resolve(file.sha256() + ".segment");
    }

    int downloads() {
        return downloads;
    }
}
