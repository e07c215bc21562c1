package io.tailrace.suffix.draft;

/** Kinds of source that deserve different trust; a mixer learns how much. */
public enum SourceKind {
    OWN("own"),
    OLDER("older"),
    NEWEST("newest"),
    FRESH("fresh"),
    SHARED_GAPPED("shared-gapped"),
    OWN_GAPPED("own-gapped");

    private final String label;

    SourceKind(String label) {
        this.label = label;
    }

    /** The name in metrics and outcomes. */
    public String label() {
        return label;
    }
}
