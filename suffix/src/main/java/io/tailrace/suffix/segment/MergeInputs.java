package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.order.CoLexOrder;
import io.tailrace.suffix.order.SortedRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The open inputs of a merge, and which of their generations survive. */
final class MergeInputs implements AutoCloseable {
    private final List<Segment> segments = new ArrayList<>();
    private final List<Candidate> survivors = new ArrayList<>();
    private final List<Document.Folder.Fold[]> folds = new ArrayList<>();
    private long expiredTokens;
    private long deletedTokens;

    /** One generation of one input, the newest of its document there or not. */
    record Candidate(int input, int document, int length, GenerationEntry entry, boolean newest) {
        static final Comparator<Candidate> NEWEST_FIRST = Comparator.comparing(
                        Candidate::entry, Document.ENTRY_ORDER.reversed())
                .thenComparingInt(Candidate::length);

        /** Its prompt's, where the input keeps it: a document has that of its newest generation. */
        PromptSignature signature(List<Segment> segments) {
            return newest ? segments.get(input).allDocuments().signature(document) : PromptSignature.NONE;
        }

        /** Which of its tokens are copied, likewise. */
        BitSet copied(List<Segment> segments) {
            return newest ? segments.get(input).allDocuments().copied(document) : null;
        }
    }

    private MergeInputs() {}

    static MergeInputs open(List<Compaction.Files> inputs, Retention retention, SegmentIdentity identity)
            throws IOException {
        MergeInputs merge = new MergeInputs();
        boolean opened = false;
        try {
            for (Compaction.Files files : inputs) {
                Segment segment = Segment.reopen(files.segment(), identity);
                merge.segments.add(segment);
                merge.collect(segment, intactSidecar(segment, files), retention);
            }
            merge.applyBudget(retention.liveTokensMax());
            opened = true;
            return merge;
        } finally {
            if (!opened) {
                merge.close();
            }
        }
    }

    /**
     * The segment's sidecar. Its writer checked the whole segment and noted its SHA-256 there: as long as that is the file's, nothing has
     * changed since; else the check of every byte says what has.
     */
    private static Sidecar intactSidecar(Segment segment, Compaction.Files files) throws IOException {
        Sidecar sidecar = Sidecar.read(files.sidecar());
        if (!sidecar.isOf(segment)) {
            Segment.openVerified(files.segment(), segment.identity()).close();
        }
        sidecar.requireOf(segment, files.sidecar());
        return sidecar;
    }

    private void collect(Segment segment, Sidecar sidecar, Retention retention) {
        int input = segments.size() - 1;
        for (int document = 0; document < segment.documents(); document++) {
            int length = segment.answerLength(document);
            List<GenerationEntry> entries = sidecar.entries().get(document);
            for (int i = 0; i < entries.size(); i++) {
                GenerationEntry entry = entries.get(i);
                if (retention.deleted().test(entry)) {
                    deletedTokens += length;
                } else if (entry.completedAtMillis() < retention.completedAfterMillis()
                        || retention.expired().test(entry)) {
                    expiredTokens += length;
                } else {
                    survivors.add(new Candidate(input, document, length, entry, i == entries.size() - 1));
                }
            }
        }
    }

    private void applyBudget(long liveTokensMax) {
        long live = survivors.stream().mapToLong(Candidate::length).sum();
        if (live <= liveTokensMax) {
            return;
        }
        survivors.sort(Candidate.NEWEST_FIRST);
        long kept = 0;
        int count = 0;
        while (kept + survivors.get(count).length() <= liveTokensMax) {
            kept += survivors.get(count).length();
            count++;
        }
        survivors.subList(count, survivors.size()).clear();
        expiredTokens += live - kept;
    }

    /** The surviving generations folded into documents, in the segment's order. */
    List<Document> documents() {
        Document.Folder folder = new Document.Folder();
        for (Segment segment : segments) {
            folds.add(new Document.Folder.Fold[segment.documents()]);
        }
        for (Candidate candidate : survivors) {
            Document.Folder.Fold[] inputFolds = folds.get(candidate.input());
            int document = candidate.document();
            if (inputFolds[document] == null) {
                Segment segment = segments.get(candidate.input());
                inputFolds[document] = folder.fold(segment.allDocuments().view(document), segment.tail(document));
            }
            inputFolds[document].add(candidate.entry(), candidate.signature(segments), candidate.copied(segments));
        }
        return folder.documents();
    }

    /**
     * Lays the documents out. What is left of the inputs' orders is merged; documents that none of them places are sorted anew. The text is laid
     * out twice: while orders are merged, its ranks stand for it.
     */
    SegmentContent content(List<Document> documents) {
        int[] starts = starts(documents);
        boolean[] placed = new boolean[documents.size()];
        List<SortedRun> runs = new ArrayList<>();
        for (int input = 0; input < segments.size(); input++) {
            runs.add(run(segments.get(input), folds.get(input), documents, starts, placed));
        }
        int[] rest = IntStream.range(0, starts.length)
                .filter(i -> !placed[i])
                .map(i -> starts[i])
                .toArray();
        CoLexOrder order = CoLexOrder.merged(() -> SegmentContent.text(documents), runs, rest);
        return SegmentContent.of(documents, SegmentContent.text(documents), order);
    }

    /**
     * What is left of an input's order. Only documents whose newest time is that of this input are taken from it, so their
     * sequence changes only where the newest generation of a document was dropped and an older one kept; such a document is left out.
     */
    private static SortedRun run(
            Segment segment, Document.Folder.Fold[] folds, List<Document> documents, int[] starts, boolean[] placed) {
        int[] places = new int[segment.textLength()];
        Arrays.fill(places, -1);
        int[] taken = new int[segment.documents()];
        int count = 0;
        int previous = -1;
        for (int i = 0; i < segment.documents(); i++) {
            if (folds[i] == null || !isNewest(segment, i, documents.get(folds[i].index()))) {
                continue;
            }
            int document = folds[i].index();
            if (document > previous && !placed[document]) {
                placed[document] = true;
                previous = document;
                taken[count++] = starts[document];
                int from = segment.documentStart(i);
                int length = segment.allDocuments().length(i);
                for (int k = 0; k < length; k++) {
                    places[from + k] = starts[document] + k;
                }
            }
        }
        return SortedRun.kept(segment.wholeOrder(), places, Arrays.copyOf(taken, count));
    }

    private static boolean isNewest(Segment segment, int i, Document document) {
        return segment.completedAtMillis(i) == document.completedAtMillis();
    }

    private static int[] starts(List<Document> documents) {
        int[] starts = new int[documents.size()];
        for (int i = 1; i < starts.length; i++) {
            starts[i] = starts[i - 1] + documents.get(i - 1).length() + 1;
        }
        return starts;
    }

    long expiredTokens() {
        return expiredTokens;
    }

    long deletedTokens() {
        return deletedTokens;
    }

    @Override
    public void close() {
        segments.forEach(Segment::close);
    }
}
