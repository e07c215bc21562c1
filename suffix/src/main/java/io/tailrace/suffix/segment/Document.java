package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Equal generations folded into one: equal answers to prompts with equal tails.
 *
 * @param text the prompt's tail and the answer, from position 0 to the limit; where it comes from a segment, its mapped memory itself
 * @param tail how many of its tokens are the prompt's
 * @param entries its generations in the sidecar's order, oldest first; at least one
 * @param signature of the newest generation's prompt
 * @param copied which of that generation's tokens stood in its context before; null where that is not known
 */
record Document(IntBuffer text, int tail, List<GenerationEntry> entries, PromptSignature signature, BitSet copied) {
    /** The sidecar's order of a document's entries. */
    static final Comparator<GenerationEntry> ENTRY_ORDER = Comparator.comparingLong(GenerationEntry::completedAtMillis)
            .thenComparingLong(GenerationEntry::requestHigh)
            .thenComparingLong(GenerationEntry::requestLow)
            .thenComparing(GenerationEntry::producer);

    /** The order of documents in a segment: by newest completion time, then token by token, shorter first, then by tail. */
    static final Comparator<Document> SEGMENT_ORDER = Comparator.comparingLong(Document::completedAtMillis)
            .thenComparing(Document::text)
            .thenComparingInt(Document::tail);

    /** Stored tokens. */
    int length() {
        return text.limit();
    }

    /** Tokens of the answer. */
    int answerLength() {
        return text.limit() - tail;
    }

    int multiplicity() {
        return entries.size();
    }

    long completedAtMillis() {
        return entries.get(entries.size() - 1).completedAtMillis();
    }

    long liveTokens() {
        return (long) answerLength() * entries.size();
    }

    /** Folds equal generations into documents, and puts these in the segment's order. */
    static final class Folder {
        private final Map<Text, Fold> folds = new HashMap<>();

        /** The generations of one document so far. */
        static final class Fold {
            private final List<GenerationEntry> entries = new ArrayList<>(1);
            private Document document;
            /** The document's, beside it: sorting many looks at little else. */
            private long completedAtMillis;

            private int index;
            private GenerationEntry newest;
            private PromptSignature signature;
            private BitSet copied;

            /** Adds an equal generation. */
            void add(GenerationEntry entry, PromptSignature ofPrompt, BitSet copiedTokens) {
                entries.add(entry);
                if (newest == null || ENTRY_ORDER.compare(entry, newest) > 0) {
                    newest = entry;
                    signature = ofPrompt;
                    copied = copiedTokens;
                }
            }

            /** Place of the document in the segment's order; known after {@link Folder#documents}. */
            int index() {
                return index;
            }
        }

        /** The fold that generations go to with this text, of which so many tokens are the prompt's. */
        Fold fold(IntBuffer text, int tail) {
            return folds.computeIfAbsent(new Text(text, tail), key -> new Fold());
        }

        List<Document> documents() {
            List<Fold> ordered = new ArrayList<>(folds.size());
            folds.forEach((text, fold) -> {
                if (fold.entries.size() > 1) {
                    fold.entries.sort(Document.ENTRY_ORDER);
                }
                fold.document = new Document(text.text, text.tail, fold.entries, fold.signature, fold.copied);
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

        /** Ordered, so that a map finds it fast among many of the same hash, which whoever writes answers can choose. */
        private static final class Text implements Comparable<Text> {
            private final IntBuffer text;
            private final int tail;
            private final int hash;

            Text(IntBuffer text, int tail) {
                this.text = text;
                this.tail = tail;
                int folded = 1 + tail;
                for (int i = 0; i < text.limit(); i++) {
                    folded = 31 * folded + text.get(i);
                }
                this.hash = folded;
            }

            @Override
            public boolean equals(Object other) {
                return other instanceof Text that && hash == that.hash && tail == that.tail && text.equals(that.text);
            }

            @Override
            public int hashCode() {
                return hash;
            }

            @Override
            public int compareTo(Text other) {
                return tail != other.tail ? Integer.compare(tail, other.tail) : text.compareTo(other.text);
            }
        }
    }
}
