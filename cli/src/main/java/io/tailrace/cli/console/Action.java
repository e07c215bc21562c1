package io.tailrace.cli.console;

import io.tailrace.cli.console.Page.Section;
import io.tailrace.cli.fleet.FollowedFleet;
import io.tailrace.cli.snapshots.Commander;
import java.util.List;
import java.util.function.Consumer;

/** What an operator can do to an installation from a page. */
interface Action {
    /** In a few words, as a heading and on the button that confirms it. */
    String title();

    /** What it will do, in a sentence or two. */
    String effect();

    /** What it will do, in figures. */
    List<Section> preview(FollowedFleet fleet, long nowMillis);

    /**
     * Does it, as the command line does.
     *
     * @param say told line by line what happens
     * @return false: it was given, and has not taken effect in time
     */
    boolean carryOut(Commander commander, Consumer<String> say);

    /** A lane that it is of, as text, to go on from; empty: none. */
    String lane();
}
