package io.tailrace.suffix.segment;

import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes segments with their sidecars: from generations, and from other segments.
 *
 * <p>The bytes of a segment are a pure function of its documents (tokens, multiplicity, newest completion time, signature, copied tokens) and its
 * identity: a merge of segments, in whatever order, equals a flush of what survives.
 *
 * <p>A document keeps the signature of its newest generation's prompt, and of no other. Where a merge drops that generation and keeps an older
 * one, the signature goes with it, and the document has none.
 *
 * <p>Heap of both: {@link #heapBytes}. Inputs and results of a merge are mapped files beside it.
 */
public final class Compaction {
    /** Orders, ranks, places and predecessors, 4 each; in the end a few for the shorter order, and room for a collector. */
    private static final long BYTES_A_TOKEN = 24;
    /** What is remembered of each while its tokens are folded with equal ones, and its signature twice. */
    private static final long BYTES_A_DOCUMENT = 464;

    /** Of a sidecar 28 bytes a generation and the producers' names, which take 120, and twice as many each, read and read back. */
    private static final double BYTES_A_SIDECAR_BYTE = 4.25;
    /** A name's two texts beside their letters, and its places in lists. */
    private static final long BYTES_A_PRODUCER = 200;

    private static final long TOKENS_A_DOCUMENT = 64;

    private Compaction() {}

    /**
     * About the most heap that merging segments takes (a test runs merges in no more).
     *
     * @param textTokens stored tokens of all inputs
     * @param documents of all inputs
     * @param sidecars of all inputs
     * @return bytes
     */
    public static long heapBytes(long textTokens, long documents, SidecarSize sidecars) {
        return BYTES_A_TOKEN * textTokens
                + BYTES_A_DOCUMENT * documents
                + (long) (BYTES_A_SIDECAR_BYTE * sidecars.bytes())
                + BYTES_A_PRODUCER * sidecars.producers();
    }

    /**
     * The same where only the number of tokens is known: documents are taken to be of 64 tokens, and each to stand for one generation.
     *
     * @param tokens of all inputs
     * @return bytes
     */
    public static long heapBytes(long tokens) {
        long documents = tokens / TOKENS_A_DOCUMENT;
        return heapBytes(tokens, documents, SidecarSize.ofGenerations(documents));
    }

    /** One generation on its way into a segment. */
    public record Input(GenerationEntry entry, RememberedAnswer answer) {
        /**
         * One whose prompt is not known.
         *
         * @param entry what it is known by
         * @param tokens the answer's
         */
        public Input(GenerationEntry entry, int[] tokens) {
            this(entry, RememberedAnswer.of(tokens));
        }
    }

    /**
     * What came out. {@code files} and {@code summary} are null if nothing was left to keep.
     *
     * @param expiredTokens tokens of the generations dropped for age or budget
     * @param deletedTokens tokens of the generations dropped because they were deleted
     */
    public record Result(Files files, SegmentSummary summary, long expiredTokens, long deletedTokens) {}

    /**
     * Sorts the generations and writes them as a segment into {@code folder}, and verifies it by reading it back. Durable it becomes in a store.
     *
     * @param generations what it is to hold
     * @param identity whose the segment is
     * @param folder where it is put; made if it is not there
     * @return the files and their figures; no files if there are no generations
     * @throws IllegalArgumentException if a token is not in the vocabulary
     * @throws IOException if the file cannot be read or written
     */
    public static Result flush(List<Input> generations, SegmentIdentity identity, Path folder) throws IOException {
        Document.Folder documentFolder = new Document.Folder();
        for (Input generation : generations) {
            int[] text = generation.answer().text();
            requireKnown(text, identity.vocabularySize());
            documentFolder
                    .fold(IntBuffer.wrap(text), generation.answer().promptTail().length)
                    .add(
                            generation.entry(),
                            generation.answer().signature(),
                            generation.answer().copied());
        }
        List<Document> documents = documentFolder.documents();
        if (documents.isEmpty()) {
            return new Result(null, null, 0, 0);
        }
        return publish(documents, SegmentContent.of(documents), identity, folder, 0, 0);
    }

    /**
     * Merges segments into one in {@code folder}; the bytes are those of a flush of the surviving generations. The inputs
     * stay untouched, and their sorted orders are merged rather than sorted anew.
     *
     * @param inputs segments of one lane
     * @param retention what is kept of them
     * @param identity whose the segment is
     * @param folder where it is put; made if it is not there
     * @return the files and their figures; no files if nothing survives
     * @throws CorruptSegmentException if an input is damaged or of another lane or tokenizer
     */
    public static Result merge(List<Files> inputs, Retention retention, SegmentIdentity identity, Path folder)
            throws IOException {
        try (MergeInputs merge = MergeInputs.open(inputs, retention, identity)) {
            List<Document> documents = merge.documents();
            if (documents.isEmpty()) {
                return new Result(null, null, merge.expiredTokens(), merge.deletedTokens());
            }
            SegmentContent content = merge.content(documents);
            return publish(documents, content, identity, folder, merge.expiredTokens(), merge.deletedTokens());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (IndexOutOfBoundsException | InternalError e) {
            throw CorruptSegmentException.unreadable(
                    inputs.stream().map(Files::segment).toList(), e);
        }
    }

    private static Result publish(
            List<Document> documents,
            SegmentContent content,
            SegmentIdentity identity,
            Path folder,
            long expiredTokens,
            long deletedTokens)
            throws IOException {
        try (Publication publication = new Publication(folder)) {
            SegmentSummary summary = publication.write(documents, content, identity);
            MappedReads.await(); // what an input's disk could not read is not published as whatever it was read as
            return new Result(publication.publish(summary), summary, expiredTokens, deletedTokens);
        }
    }

    private static void requireKnown(int[] tokens, int vocabularySize) {
        for (int token : tokens) {
            if (token < 0 || token >= vocabularySize) {
                throw new IllegalArgumentException(
                        "token ids must be 0 to " + (vocabularySize - 1) + ", the lane's vocabulary; got " + token);
            }
        }
    }

    /** A segment file and the sidecar beside it. */
    public record Files(Path segment, Path sidecar) {}
}
