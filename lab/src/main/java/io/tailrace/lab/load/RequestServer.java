package io.tailrace.lab.load;

import io.tailrace.client.report.ServedRequest;
import io.tailrace.lab.recorded.RecordedRequest;

/** Serves recorded requests on the caller's thread. */
public interface RequestServer {
    ServedRequest serve(RecordedRequest request);
}
