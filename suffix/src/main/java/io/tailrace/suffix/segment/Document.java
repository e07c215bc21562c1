package io.tailrace.suffix.segment;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Equal generations folded into one.
 *
 * @param entries its generations in the sidecar's order, oldest first; at least one
 */
record Document(int[] tokens, List<GenerationEntry> entries) {
    /** The sidecar's order of a document's entries. */
    static final Comparator<GenerationEntry> ENTRY_ORDER = Comparator.comparingLong(GenerationEntry::completedAtMillis)
            .thenComparingLong(GenerationEntry::requestHigh)
            .thenComparingLong(GenerationEntry::requestLow)
            .thenComparing(GenerationEntry::producer);

    /** The order of documents in a segment: by newest completion time, then token by token, shorter first. */
    static final Comparator<Document> SEGMENT_ORDER =
            Comparator.comparingLong(Document::completedAtMillis).thenComparing(Document::tokens, Arrays::compare);

    int multiplicity() {
        return entries.size();
    }

    long completedAtMillis() {
        return entries.get(entries.size() - 1).completedAtMillis();
    }

    long liveTokens() {
        return (long) tokens.length * entries.size();
    }
}
