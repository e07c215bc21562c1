package io.tailrace.client.report;

import io.tailrace.schemas.Generation;
import io.tailrace.schemas.Outcome;
import io.tailrace.schemas.WorkerStatus;

/** Where a worker's reports go. Safe for any number of threads. */
public interface Reporter extends AutoCloseable {
    void generation(Generation generation);

    void outcome(Outcome outcome);

    void status(WorkerStatus status);

    /** Records that were given up. */
    long failures();

    /** False if records no longer leave, and will not until the worker is started again. */
    default boolean live() {
        return true;
    }

    /** Sends what is buffered, then closes. */
    @Override
    void close();
}
