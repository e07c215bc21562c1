package io.tailrace.tap;

import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.SpoolState;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.WorkerStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it is told. */
class KeptReports implements Reporter {
    final List<Generation> generations = new CopyOnWriteArrayList<>();

    @Override
    public void generation(Generation generation) {
        generations.add(generation);
    }

    @Override
    public void outcome(Outcome outcome) {
        throw new AssertionError("a tap knows of no drafts");
    }

    @Override
    public void status(WorkerStatus status) {
        throw new AssertionError("a tap follows no lane");
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
