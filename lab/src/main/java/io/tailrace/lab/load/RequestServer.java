package io.tailrace.lab.load;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.input.ReplayRequest;

/** Serves recorded requests on the caller's thread. */
public interface RequestServer {
    ServedRequest serve(ReplayRequest request);
}
