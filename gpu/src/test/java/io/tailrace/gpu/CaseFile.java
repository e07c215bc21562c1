package io.tailrace.gpu;

import io.tailrace.suffix.LaneVocabulary;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftTree;
import io.tailrace.suffix.draft.SimilarTexts;
import io.tailrace.suffix.draft.SourceKind;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the native replay reads: records of little-endian ints, each with its number first, 0 at the end. */
final class CaseFile implements Closeable {
    private final OutputStream out;
    private int drafts;

    CaseFile(Path file) throws IOException {
        out = new BufferedOutputStream(Files.newOutputStream(file));
    }

    /** A segment file, the kind of source it is, and a number of its text, which no other text has. */
    record Part(int source, int textId, Path file) {}

    void policy(float[] weights) throws IOException {
        ints(1);
        byte[] image = new byte[PolicyImage.BYTES];
        PolicyImage.of(weights).get(image);
        out.write(image);
    }

    void lane(LaneFiles lane) throws IOException {
        LaneVocabulary vocabulary = lane.index().vocabulary();
        List<Part> parts = lane.parts();
        byte[] image = new byte[VocabularyImage.bytes(vocabulary)];
        VocabularyImage.of(vocabulary).get(image);
        ints(2, image.length);
        out.write(image);
        ints(parts.size());
        for (Part part : parts) {
            byte[] bytes = Files.readAllBytes(part.file());
            ints(part.source(), part.textId(), bytes.length);
            out.write(bytes);
        }
    }

    void begin(int[] prompt) throws IOException {
        ints(3, prompt.length);
        ints(prompt);
    }

    /** The request has these answers of similar requests from now on. */
    void similar(SimilarTexts texts) throws IOException {
        ByteBuffer bytes = SimilarImage.of(texts);
        byte[] image = new byte[bytes.remaining()];
        bytes.get(image);
        ints(6, image.length);
        out.write(image);
    }

    void draft(Draft draft, int budget, float floor) throws IOException {
        ints(4, budget, Float.floatToRawIntBits(floor), draft.size());
        for (int i = 0; i < draft.size(); i++) {
            SourceKind kind = draft.source(i);
            int source = kind == null ? DraftTree.NO_SOURCE : kind.index();
            int probability = Float.floatToRawIntBits(draft.probability(i));
            ints(draft.token(i), draft.parent(i), source, draft.matchLength(i), probability);
        }
        drafts++;
    }

    void extend(int[] tokens) throws IOException {
        ints(5, tokens.length);
        ints(tokens);
    }

    int drafts() {
        return drafts;
    }

    @Override
    public void close() throws IOException {
        ints(0);
        out.close();
    }

    private void ints(int... values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        out.write(bytes.array());
    }
}
