package io.tailrace.worker.jinja;

/** What stands in a template, one behind the other. Render it with {@link Rendering#body}, which counts. */
interface Statement {
    /** Where rendering goes on. */
    enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    /** Prints, and sets names. */
    Flow render(Rendering at);

    /** Of the template, from one. */
    int line();
}
