package io.tailrace.gpu;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A lane for both sides: segments that Java searches, and the files they were opened from. */
public final class LaneFiles implements AutoCloseable {
    private static final SegmentIdentity LANE = new SegmentIdentity("model@1/test", Integer.MAX_VALUE, "tokenizer-1");

    /** Of the images. */
    public static final float FLOOR = 0.003f;

    private static final SourceKind[] KINDS = SourceKind.values();

    private final Path folder;
    private final List<Segment> older = new ArrayList<>();
    private final List<CaseFile.Part> parts = new ArrayList<>();
    private Segment newest;
    private Segment fresh;

    public LaneFiles(Path parent) throws IOException {
        folder = Files.createTempDirectory(parent, "lane");
    }

    /** Adds documents as one segment; kinds in ascending order. No documents: no segment. */
    public void add(SourceKind kind, List<int[]> documents) throws IOException {
        List<Compaction.Input> inputs = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            inputs.add(new Compaction.Input(new GenerationEntry(kind.index(), i, "p", i), answer(documents.get(i), i)));
        }
        Compaction.Result result = Compaction.flush(inputs, LANE, folder);
        if (result.files() == null) {
            return;
        }
        Segment segment = Segment.reopen(result.files().segment(), LANE);
        switch (kind) {
            case OLDER -> older.add(segment);
            case NEWEST -> newest = segment;
            case FRESH -> fresh = segment;
            default -> throw new IllegalArgumentException("no shared source: " + kind);
        }
        parts.add(new CaseFile.Part(kind.index(), result.files().segment()));
    }

    /** Of some documents the first tokens are a prompt's tail. */
    private static RememberedAnswer answer(int[] document, int number) {
        int tail = Math.max(0, Math.min(number % 5 - 1, document.length - 1));
        return new RememberedAnswer(Arrays.copyOf(document, tail), Arrays.copyOfRange(document, tail, document.length));
    }

    public LaneIndex index() {
        return new LaneIndex(older, newest, fresh);
    }

    /** As it goes to a device. */
    public SnapshotImage image(float[] weights) throws IOException {
        List<SnapshotImage.Part> images = new ArrayList<>();
        for (CaseFile.Part part : parts) {
            byte[] bytes = Files.readAllBytes(part.file());
            ByteBuffer direct =
                    ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            SourceKind kind = KINDS[part.source()];
            images.add(new SnapshotImage.Part(kind, part.file().getFileName().toString(), direct));
        }
        return new SnapshotImage(images, weights, FLOOR);
    }

    List<CaseFile.Part> parts() {
        return parts;
    }

    @Override
    public void close() throws IOException {
        older.forEach(Segment::close);
        if (newest != null) {
            newest.close();
        }
        if (fresh != null) {
            fresh.close();
        }
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
