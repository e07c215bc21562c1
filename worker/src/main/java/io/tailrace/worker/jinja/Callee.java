package io.tailrace.worker.jinja;

/** What a template can call. */
interface Callee {
    /** The result of a call. */
    Object call(Rendering at, Arguments arguments);
}
