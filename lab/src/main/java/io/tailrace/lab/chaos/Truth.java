package io.tailrace.lab.chaos;

import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.lab.traffic.SyntheticTraffic;
import java.util.Iterator;
import java.util.List;

/** What each worker is asked, and what the answer is. The same in the worker's process and where it is judged. */
final class Truth {
    static final List<String> WORKERS = List.of("worker-1", "worker-2");

    private static final int REQUESTS = 100_000;

    private Truth() {}

    /** A worker's requests, from its first on. */
    static Iterator<RecordedRequest> of(long seed, String worker) {
        SyntheticTraffic traffic = new SyntheticTraffic(31 * seed + WORKERS.indexOf(worker), REQUESTS);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return traffic.hasNext();
            }

            @Override
            public RecordedRequest next() {
                return named(worker, traffic.next());
            }
        };
    }

    private static RecordedRequest named(String worker, RecordedRequest request) {
        return new RecordedRequest(
                worker + "-" + request.id(),
                request.scope(),
                request.workload(),
                null,
                null,
                request.prompt(),
                request.promptTokens(),
                request.response(),
                request.position());
    }
}
