package io.tailrace.suffix.draft;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Parts of the default drafter that can be left out, to measure what each gives and costs. Served drafts have all of them. */
public enum DraftPart {
    /** Places in the request's own context vote. */
    OWN("own"),
    /** What the request has said itself is a source apart from its prompt. */
    SAID("said"),
    /** Places vote that differ from the context in the last token. */
    GAPPED("gapped"),
    /** Answers that the request followed vote again after a difference. */
    ALIGNED("aligned"),
    /** Answers to the requests most like this one vote. */
    SIMILAR("similar"),
    /** The lane's popular tokens are candidates at the context's end. */
    POPULAR("popular"),
    /** What the context and the lane say of a candidate's token are inputs, and it chooses weights of its own. */
    TOKEN("token");

    /** What served drafts have. */
    public static final Set<DraftPart> ALL = Collections.unmodifiableSet(EnumSet.allOf(DraftPart.class));

    private final String label;

    DraftPart(String label) {
        this.label = label;
    }

    /**
     * The name of a strategy's parameter.
     *
     * @return lower-case letters
     */
    public String label() {
        return label;
    }
}
