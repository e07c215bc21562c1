package io.tailrace.suffix.draft;

/** Kinds of source that deserve different trust; a mixer learns how much. */
public enum SourceKind {
    OWN(0, "own"),
    OLDER(1, "older"),
    NEWEST(2, "newest"),
    FRESH(3, "fresh"),
    SHARED_GAPPED(4, "shared-gapped"),
    OWN_GAPPED(5, "own-gapped");

    private final int index;
    private final String label;

    SourceKind(int index, String label) {
        this.index = index;
        this.label = label;
    }

    /** Its number in occurrences and in the mixer's layout, from 0 without holes. */
    public int index() {
        return index;
    }

    /** The name in metrics and outcomes. */
    public String label() {
        return label;
    }
}
