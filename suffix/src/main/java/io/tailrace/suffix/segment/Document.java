package io.tailrace.suffix.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /** Folds equal token sequences into documents, in the segment's order. */
    static final class Folder {
        private final Map<Tokens, List<GenerationEntry>> entriesByTokens = new HashMap<>();

        void add(int[] tokens, GenerationEntry entry) {
            entriesByTokens
                    .computeIfAbsent(new Tokens(tokens), key -> new ArrayList<>(1))
                    .add(entry);
        }

        void addAll(int[] tokens, Collection<GenerationEntry> entries) {
            if (!entries.isEmpty()) {
                entriesByTokens
                        .computeIfAbsent(new Tokens(tokens), key -> new ArrayList<>(entries.size()))
                        .addAll(entries);
            }
        }

        List<Document> documents() {
            List<Document> documents = new ArrayList<>(entriesByTokens.size());
            entriesByTokens.forEach((tokens, entries) -> {
                entries.sort(ENTRY_ORDER);
                documents.add(new Document(tokens.tokens, entries));
            });
            documents.sort(SEGMENT_ORDER);
            return documents;
        }
    }

    private static final class Tokens {
        private final int[] tokens;
        private final int hash;

        Tokens(int[] tokens) {
            this.tokens = tokens;
            this.hash = Arrays.hashCode(tokens);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Tokens that && hash == that.hash && Arrays.equals(tokens, that.tokens);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
