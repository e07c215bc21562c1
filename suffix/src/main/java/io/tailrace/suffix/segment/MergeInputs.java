package io.tailrace.suffix.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The open inputs of a merge, and which of their generations survive. */
final class MergeInputs implements AutoCloseable {
    private final List<Segment> segments = new ArrayList<>();
    private final List<Candidate> survivors = new ArrayList<>();
    private long expiredTokens;
    private long deletedTokens;

    /** One generation of one input. */
    record Candidate(int input, int document, int length, GenerationEntry entry) {
        static final Comparator<Candidate> NEWEST_FIRST = Comparator.comparing(
                        Candidate::entry, Document.ENTRY_ORDER.reversed())
                .thenComparingInt(Candidate::length);
    }

    private MergeInputs() {}

    static MergeInputs open(List<SegmentFiles> inputs, Retention retention, SegmentIdentity identity)
            throws IOException {
        MergeInputs merge = new MergeInputs();
        boolean opened = false;
        try {
            for (SegmentFiles files : inputs) {
                Segment segment = Segment.openVerified(files.segment(), identity);
                merge.segments.add(segment);
                merge.collect(segment, sidecarOf(segment, files), retention);
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

    private static Sidecar sidecarOf(Segment segment, SegmentFiles files) throws IOException {
        Sidecar sidecar = Sidecar.read(files.sidecar());
        String sha256 = segment.summary().sha256();
        SegmentFormat.requireEqual(files.sidecar(), 0, "the sidecar's segment", sha256, sidecar.segmentSha256());
        int documents = sidecar.entries().size();
        SegmentFormat.requireEqual(files.sidecar(), 0, "the sidecar's documents", segment.documents(), documents);
        for (int i = 0; i < documents; i++) {
            int entries = sidecar.entries().get(i).size();
            SegmentFormat.requireEqual(
                    files.sidecar(), 0, "entries of document " + i, segment.multiplicity(i), entries);
        }
        return sidecar;
    }

    private void collect(Segment segment, Sidecar sidecar, Retention retention) {
        int input = segments.size() - 1;
        for (int document = 0; document < segment.documents(); document++) {
            int length = segment.documentLength(document);
            for (GenerationEntry entry : sidecar.entries().get(document)) {
                if (retention.deleted().test(entry)) {
                    deletedTokens += length;
                } else if (entry.completedAtMillis() < retention.completedAfterMillis()) {
                    expiredTokens += length;
                } else {
                    survivors.add(new Candidate(input, document, length, entry));
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
        int[][][] tokens = new int[segments.size()][][];
        for (Candidate candidate : survivors) {
            int input = candidate.input();
            Segment segment = segments.get(input);
            if (tokens[input] == null) {
                tokens[input] = new int[segment.documents()][];
            }
            if (tokens[input][candidate.document()] == null) {
                tokens[input][candidate.document()] = segment.documentTokens(candidate.document());
            }
            folder.add(tokens[input][candidate.document()], candidate.entry());
        }
        return folder.documents();
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
