package io.tailrace.suffix.segment;

import io.tailrace.suffix.TokenCounts;
import java.util.Arrays;

/** The token counts of a text that does not change, counted once: 24 bytes for each distinct token, by ascending ids. Immutable. */
final class SaidTokens {
    private static final int INTS = 6;

    /**
     * Token, how often it is said, of how many of these the context is known, and how many of those were copied; then the last two of what
     * follows it.
     */
    private final int[] rows;

    private final int documents;

    private SaidTokens(int[] rows, int documents) {
        this.rows = rows;
        this.documents = documents;
    }

    static SaidTokens of(TokenCounts counts) {
        int[] rows = new int[counts.distinct() * INTS];
        int at = 0;
        for (int token = 0; token < counts.tokens(); token++) {
            if (counts.said(token) > 0) {
                rows[at] = token;
                rows[at + 1] = counts.said(token);
                rows[at + 2] = counts.known(token);
                rows[at + 3] = counts.copied(token);
                rows[at + 4] = counts.knownAfter(token);
                rows[at + 5] = counts.copiedAfter(token);
                at += INTS;
            }
        }
        return new SaidTokens(Arrays.copyOf(rows, at), counts.documents());
    }

    void addTo(TokenCounts counts) {
        counts.addDocuments(documents);
        if (rows.length > 0) {
            counts.expect(rows[rows.length - INTS] + 1);
        }
        for (int at = 0; at < rows.length; at += INTS) {
            counts.add(rows[at], rows[at + 1], rows[at + 2], rows[at + 3]);
            counts.addAfter(rows[at], rows[at + 4], rows[at + 5]);
        }
    }
}
