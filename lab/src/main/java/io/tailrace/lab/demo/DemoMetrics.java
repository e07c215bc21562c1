package io.tailrace.lab.demo;

import io.tailrace.lab.load.LoadWorker;
import io.tailrace.monitoring.OperatorEndpoint;
import java.util.ArrayList;
import java.util.List;

/** Where Prometheus finds the metrics of a demo's workers: each on a port of its own, after the job's. One thread at a time. */
final class DemoMetrics implements AutoCloseable {
    private final Integer jobPort;
    private final List<OperatorEndpoint> open = new ArrayList<>();

    /** @param jobPort the job's; null: nothing is shown */
    DemoMetrics(Integer jobPort) {
        this.jobPort = jobPort;
    }

    /** Shows those of the worker of this number, from 1. */
    void show(int number, LoadWorker worker) {
        if (jobPort != null) {
            open.add(OperatorEndpoint.start(
                    "127.0.0.1",
                    jobPort + number,
                    worker::name,
                    worker.metrics()::scrape,
                    worker::live,
                    worker::ready));
        }
    }

    @Override
    public void close() {
        open.forEach(OperatorEndpoint::close);
    }
}
