package io.tailrace.worker.replay;

import io.tailrace.worker.replay.input.ReplayRequest;
import io.tailrace.worker.report.ServedRequest;

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
