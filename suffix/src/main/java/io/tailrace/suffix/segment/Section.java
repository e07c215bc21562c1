package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;

/** Sections of a segment file, in file order. Their ids in the section table count from one. */
enum Section {
    TEXT(1, Integer.BYTES),
    ORDER(2, Integer.BYTES),
    ENDS(3, Integer.BYTES),
    LAST_TOKENS(4, Integer.BYTES),
    DOCUMENT_STARTS(5, Integer.BYTES),
    TIMES(6, Long.BYTES),
    MULTIPLICITIES(7, Integer.BYTES),
    ORDER_SUMS(8, Long.BYTES),
    END_SUMS(9, Long.BYTES),
    TAILS(10, Integer.BYTES),
    HIDDEN(11, Integer.BYTES),
    HIDDEN_INDEXES(12, Integer.BYTES),
    SIGNATURES(13, PromptSignature.BYTES_MAX),
    COPIES(14, Long.BYTES);

    static final Section[] ALL = values();

    private final int id;
    private final int entryBytes;

    Section(int id, int entryBytes) {
        this.id = id;
        this.entryBytes = entryBytes;
    }

    int id() {
        return id;
    }

    /** Place in file order, from 0. */
    int index() {
        return id - 1;
    }

    int entryBytes() {
        return entryBytes;
    }
}
