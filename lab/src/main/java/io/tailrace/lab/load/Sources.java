package io.tailrace.lab.load;

/** Where drafts may come from. */
public enum Sources {
    /** The request's own context and everything the lane shares. */
    SHARED,
    /** The request's own context only: what one would have without Tailrace. */
    OWN_CONTEXT
}
