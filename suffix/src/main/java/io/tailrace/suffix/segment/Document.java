package io.tailrace.suffix.segment;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal generations folded into one.
 *
 * @param tokens from position 0 to the limit; where they come from a segment, its mapped memory itself
 * @param entries its generations in the sidecar's order, oldest first; at least one
 */
record Document(IntBuffer tokens, List<GenerationEntry> entries) {
    /** The sidecar's order of a document's entries. */
    static final Comparator<GenerationEntry> ENTRY_ORDER = Comparator.comparingLong(GenerationEntry::completedAtMillis)
            .thenComparingLong(GenerationEntry::requestHigh)
            .thenComparingLong(GenerationEntry::requestLow)
            .thenComparing(GenerationEntry::producer);

    /** The order of documents in a segment: by newest completion time, then token by token, shorter first. */
    static final Comparator<Document> SEGMENT_ORDER =
            Comparator.comparingLong(Document::completedAtMillis).thenComparing(Document::tokens);

    int length() {
        return tokens.limit();
    }

    int multiplicity() {
        return entries.size();
    }

    long completedAtMillis() {
        return entries.get(entries.size() - 1).completedAtMillis();
    }

    long liveTokens() {
        return (long) length() * entries.size();
    }

    /** Folds generations with equal tokens into documents, and puts these in the segment's order. */
    static final class Folder {
        private final Map<Tokens, Fold> folds = new HashMap<>();

        /** The generations of one document so far. */
        static final class Fold {
            private final List<GenerationEntry> entries = new ArrayList<>(1);
            private Document document;
            /** The document's, beside it: sorting many looks at little else. */
            private long completedAtMillis;

            private int index;

            /** Adds a generation with the same tokens. */
            void add(GenerationEntry entry) {
                entries.add(entry);
            }

            /** Place of the document in the segment's order; known after {@link Folder#documents}. */
            int index() {
                return index;
            }
        }

        /** The fold that generations with these tokens go to. */
        Fold fold(IntBuffer tokens) {
            return folds.computeIfAbsent(new Tokens(tokens), key -> new Fold());
        }

        List<Document> documents() {
            List<Fold> ordered = new ArrayList<>(folds.size());
            folds.forEach((tokens, fold) -> {
                if (fold.entries.size() > 1) {
                    fold.entries.sort(Document.ENTRY_ORDER);
                }
                fold.document = new Document(tokens.tokens, fold.entries);
                fold.completedAtMillis = fold.document.completedAtMillis();
                ordered.add(fold);
            });
            ordered.sort(Folder::compare);
            List<Document> documents = new ArrayList<>(ordered.size());
            for (Fold fold : ordered) {
                fold.index = documents.size();
                documents.add(fold.document);
            }
            return documents;
        }

        /** {@link Document#SEGMENT_ORDER}. */
        private static int compare(Fold one, Fold other) {
            int byTime = Long.compare(one.completedAtMillis, other.completedAtMillis);
            return byTime != 0 ? byTime : Document.SEGMENT_ORDER.compare(one.document, other.document);
        }

        private static final class Tokens {
            private final IntBuffer tokens;
            private final int hash;

            Tokens(IntBuffer tokens) {
                this.tokens = tokens;
                int folded = 1;
                for (int i = 0; i < tokens.limit(); i++) {
                    folded = 31 * folded + tokens.get(i);
                }
                this.hash = folded;
            }

            @Override
            public boolean equals(Object other) {
                return other instanceof Tokens that && hash == that.hash && tokens.equals(that.tokens);
            }

            @Override
            public int hashCode() {
                return hash;
            }
        }
    }
}
