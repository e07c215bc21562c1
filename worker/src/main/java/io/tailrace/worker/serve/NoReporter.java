package io.tailrace.worker.serve;

import io.tailrace.client.report.Reporter;
import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.WorkerStatus;

/** For a worker on its own: there is nobody to tell. */
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
    public void close() {
        // Holds nothing.
    }
}
