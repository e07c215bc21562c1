package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.WorkerStatus;
import java.util.Optional;

/** Tells nobody. */
final class NoReporter implements Reporter {
    @Override
    public void generation(Generation generation) {
        // Nobody to tell.
    }

    @Override
    public void outcome(Outcome outcome) {
        // Nobody to tell.
    }

    @Override
    public void status(WorkerStatus status) {
        // Nobody to tell.
    }

    @Override
    public long failures() {
        return 0;
    }

    @Override
    public boolean live() {
        return true;
    }

    @Override
    public Optional<SpoolState> spool() {
        return Optional.empty();
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
