package io.tailrace.cli.fleet;

import java.util.Map;

/** A record that commands print as it comes. */
interface Heard {
    /** As text; empty: none. */
    String lane();

    /** For people, in one line. */
    String line();

    /** For programs. */
    Map<String, Object> json();
}
