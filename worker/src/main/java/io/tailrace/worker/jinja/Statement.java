package io.tailrace.worker.jinja;

import java.util.function.Consumer;

/** What stands in a template, one behind the other. Render it with {@link Rendering#body}, which counts. */
record Statement(int line, Action action) {
    /** Where rendering goes on. */
    enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    /** What a statement does. */
    interface Action {
        /** Prints, and sets names. */
        Flow render(Rendering at);
    }

    /** What only prints or sets names. */
    static Action plain(Consumer<Rendering> action) {
        return at -> {
            action.accept(at);
            return Flow.NEXT;
        };
    }
}
