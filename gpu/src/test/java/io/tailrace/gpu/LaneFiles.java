package io.tailrace.gpu;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.PromptSignature;
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
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A lane for both sides: segments that Java searches, and the files they were opened from. */
public final class LaneFiles implements AutoCloseable {
    private static final SegmentIdentity LANE = new SegmentIdentity("model@1/test", Integer.MAX_VALUE, "tokenizer-1");
    private static final int OLDER_MAX = 3;
    private static final int UNSIGNED = 7;

    /** Of the images. */
    public static final float FLOOR = 0.003f;

    private static final int TOPICS = 1_000;

    private static final SourceKind[] KINDS = SourceKind.values();
    private static final AtomicInteger TEXTS = new AtomicInteger();

    /** A segment, its file, and a number that no other segment has, of any lane. */
    private record Held(Segment segment, Path file, int textId) {}

    private final Path folder;
    private final List<Held> older = new ArrayList<>();
    private Held newest;
    private Held fresh;
    private final List<Held> gone = new ArrayList<>();
    /** Null until it is asked for. */
    private LaneIndex index;

    public LaneFiles(Path parent) throws IOException {
        folder = Files.createTempDirectory(parent, "lane");
    }

    /** Adds documents as one segment; kinds in ascending order. No documents: no segment. Their prompts are made up. */
    public void add(SourceKind kind, List<int[]> documents) throws IOException {
        add(kind, documents, madeUp(documents.size()));
    }

    /** Adds answers to as many prompts. */
    public void add(SourceKind kind, List<int[]> documents, List<int[]> prompts) throws IOException {
        Held held = write(kind, documents, prompts);
        if (held == null) {
            return;
        }
        index = null;
        switch (kind) {
            case OLDER -> older.add(held);
            case NEWEST -> newest = held;
            case FRESH -> fresh = held;
            default -> throw new IllegalArgumentException("no shared source: " + kind);
        }
    }

    /** Lets go what is fresh, and takes other documents instead. */
    public void refresh(List<int[]> documents) throws IOException {
        letGo(fresh);
        fresh = null;
        add(SourceKind.FRESH, documents);
    }

    /** The newest segment becomes an older one, the first older one goes where there are too many, and others begin a new newest one. */
    public void graduate(List<int[]> documents) throws IOException {
        graduate(documents, madeUp(documents.size()));
    }

    /** The same with answers to as many prompts. */
    public void graduate(List<int[]> documents, List<int[]> prompts) throws IOException {
        if (newest != null) {
            older.add(newest);
        }
        if (older.size() > OLDER_MAX) {
            letGo(older.remove(0));
        }
        newest = null;
        index = null;
        add(SourceKind.NEWEST, documents, prompts);
    }

    /** No draft may read it any more; it stays open until the end, so that one that does is wrong and no crash. */
    private void letGo(Held held) {
        if (held != null) {
            gone.add(held);
            index = null;
        }
    }

    private Held write(SourceKind kind, List<int[]> documents, List<int[]> prompts) throws IOException {
        List<Compaction.Input> inputs = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            RememberedAnswer answer = answer(documents.get(i), prompts.get(i), i);
            inputs.add(new Compaction.Input(new GenerationEntry(kind.index(), i, "p", i), answer));
        }
        Compaction.Result result = Compaction.flush(inputs, LANE, folder);
        if (result.files() == null) {
            return null;
        }
        Path file = result.files().segment();
        return new Held(Segment.reopen(file, LANE), file, TEXTS.incrementAndGet());
    }

    /** Prompts of a few tokens each; a prompt with some of {@link #topics} is like some of them. */
    private static List<int[]> madeUp(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> topics(i % 5, i % 4, i % 9))
                .toList();
    }

    /** Three tokens of a prompt, by numbers from 0 to 4, 3 and 8. */
    public static int[] topics(int first, int second, int third) {
        return new int[] {TOPICS + first, TOPICS + 5 + second, TOPICS + 9 + third};
    }

    /** Of some documents the first tokens are a prompt's tail; some have no signature. */
    private static RememberedAnswer answer(int[] document, int[] prompt, int number) {
        int tail = Math.max(0, Math.min(number % 5 - 1, document.length - 1));
        int[] tokens = Arrays.copyOfRange(document, tail, document.length);
        PromptSignature signature = number % UNSIGNED == 3 ? PromptSignature.NONE : PromptSignature.of(prompt);
        return new RememberedAnswer(Arrays.copyOf(document, tail), tokens, copied(tokens), signature);
    }

    /** Made up, so that some tokens are copied more often than others, and so is what follows some of them. */
    private static BitSet copied(int[] tokens) {
        BitSet copied = new BitSet(tokens.length);
        for (int i = 0; i < tokens.length; i++) {
            int before = i == 0 ? 0 : tokens[i - 1];
            copied.set(i, tokens[i] % 4 + before % 3 > 2);
        }
        return copied;
    }

    /** As Java searches it; the same object until the lane changes. */
    public LaneIndex index() {
        if (index == null) {
            index = new LaneIndex(older.stream().map(Held::segment).toList(), segment(newest), segment(fresh));
        }
        return index;
    }

    private static Segment segment(Held held) {
        return held == null ? null : held.segment();
    }

    /** As it goes to a device. */
    public SnapshotImage image(float[] weights) throws IOException {
        List<SnapshotImage.Part> images = new ArrayList<>();
        for (CaseFile.Part part : parts()) {
            byte[] bytes = Files.readAllBytes(part.file());
            ByteBuffer direct =
                    ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
            SourceKind kind = KINDS[part.source()];
            images.add(new SnapshotImage.Part(kind, "text-" + part.textId(), direct));
        }
        return new SnapshotImage(images, index().vocabulary(), weights, FLOOR);
    }

    List<CaseFile.Part> parts() {
        List<CaseFile.Part> parts = new ArrayList<>();
        older.forEach(held -> addPart(parts, SourceKind.OLDER, held));
        addPart(parts, SourceKind.NEWEST, newest);
        addPart(parts, SourceKind.FRESH, fresh);
        return parts;
    }

    private static void addPart(List<CaseFile.Part> parts, SourceKind kind, Held held) {
        if (held != null) {
            parts.add(new CaseFile.Part(kind.index(), held.textId(), held.file()));
        }
    }

    @Override
    public void close() throws IOException {
        gone.addAll(older);
        letGo(newest);
        letGo(fresh);
        gone.forEach(held -> held.segment().close());
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
