package io.tailrace.lab.load;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.input.ReplayRequest;

/** Hears of each request that was served. Called by the workers' threads, one at a time for each worker. */
@FunctionalInterface
public interface ReplayListener {
    /**
     * A request was served.
     *
     * @param worker index of the worker in the list given to {@link PacedReplay}
     */
    void served(int worker, ReplayRequest request, ServedRequest served);
}
