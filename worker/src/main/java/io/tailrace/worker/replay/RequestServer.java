package io.tailrace.worker.replay;

import io.tailrace.worker.replay.input.ReplayRequest;
import io.tailrace.worker.report.ServedRequest;

/** Serves recorded requests on the caller's thread. */
public interface RequestServer {
    ServedRequest serve(ReplayRequest request);
}
