package io.tailrace.worker.jinja;

/** A filter, or a method of one kind of value. */
interface Routine {
    /** What it makes of a value. */
    Object apply(Rendering at, Object value, Arguments arguments);
}
