package io.tailrace.cli.experiment;

import java.util.List;

/** Strategies that comparisons are made of: each published method at its published settings. */
final class BestSettings {
    static final List<String> ALL = List.of("adaptive", "none", "prompt-lookup");

    private BestSettings() {}
}
