package io.tailrace.lab.load;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.recorded.RecordedRequest;

/** Hears of each request that was served. Called by the workers' threads, one at a time for each worker. */
@FunctionalInterface
public interface LoadListener {
    /**
     * A request was served.
     *
     * @param worker index of the worker in the list given to {@link PacedLoad}
     */
    void served(int worker, RecordedRequest request, ServedRequest served);
}
