package io.tailrace.worker.jinja;

/** What has a value. Evaluate it with {@link Rendering#value}, which counts. */
interface Expression {
    /** Its value now. */
    Object evaluate(Rendering at);
}
