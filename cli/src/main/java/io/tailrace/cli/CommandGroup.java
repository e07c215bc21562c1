package io.tailrace.cli;

import java.util.List;

/** Commands of a module that the launcher does not know; found by {@link java.util.ServiceLoader}. */
public interface CommandGroup {
    /** New objects with picocli's {@code @Command}, in the order of the help. */
    List<Object> commands();
}
