package io.tailrace.suffix.draft;

/** Kinds of source that deserve different trust; a mixer learns how much. */
public enum SourceKind {
    /** The request's own context; where a drafter tells apart what the request has said itself, its prompt. */
    OWN(0, "own"),
    /** Its older segments. */
    OLDER(1, "older"),
    /** The snapshot's newest segment. */
    NEWEST(2, "newest"),
    /** Answers that no snapshot holds yet. */
    FRESH(3, "fresh"),
    /** Shared sources where only the last token differs. */
    SHARED_GAPPED(4, "shared-gapped"),
    /** The own context where only the last token differs. */
    OWN_GAPPED(5, "own-gapped"),
    /** Answers that the request followed before it differed from them, taken up again. */
    ALIGNED(6, "aligned"),
    /** Answers to the requests most like this one. */
    SIMILAR(7, "similar"),
    /** What the request has said itself, where a drafter tells it apart. */
    SAID(8, "said");

    private final int index;
    private final String label;

    SourceKind(int index, String label) {
        this.index = index;
        this.label = label;
    }

    /**
     * Its number in occurrences and in the mixer's layout, from 0 without holes.
     *
     * @return 0 to 8
     */
    public int index() {
        return index;
    }

    /**
     * Whether it is what others were answered, not the request's own context.
     *
     * @return false for {@link #OWN}, {@link #OWN_GAPPED} and {@link #SAID}
     */
    public boolean shared() {
        return this != OWN && this != OWN_GAPPED && this != SAID;
    }

    /**
     * The name in metrics and outcomes.
     *
     * @return lower-case letters and hyphens
     */
    public String label() {
        return label;
    }
}
