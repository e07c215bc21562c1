package io.tailrace.lab.experiment;

import io.tailrace.lab.replay.ReplayResult;
import io.tailrace.lab.replay.ReplayRun;

/**
 * One replay of an experiment.
 *
 * @param variant what is varied, as the heading of its column
 * @param run what is replayed
 */
public record Trial(String variant, ReplayRun run) {
    /** A trial with what it gave. */
    public record Finished(Trial trial, ReplayResult result) {}
}
