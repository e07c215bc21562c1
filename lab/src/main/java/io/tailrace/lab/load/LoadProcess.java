package io.tailrace.lab.load;

import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.worker.http.OperatorEndpoint;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One worker from start to end: follows snapshots, serves its inputs at a pace, shows its metrics. {@link #run} returns when
 * the input has ended, or, without input, when {@link #stop} is called; interrupting its thread ends it too.
 */
public final class LoadProcess {
    private final LoadProcessOptions options;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile PacedLoad load;
    private volatile int metricsPort = LoadProcessOptions.NO_METRICS;

    public LoadProcess(LoadProcessOptions options) {
        this.options = options;
    }

    /**
     * What was done.
     *
     * @param served requests dealt and served
     * @param badLines lines of the inputs that were skipped
     * @param views the lanes at the end
     * @param reportFailures reports given up
     */
    public record Summary(PacedLoad.Summary served, long badLines, List<LaneView> views, long reportFailures) {}

    /**
     * Runs the worker on the caller's thread.
     *
     * @param badLines told of each line that is skipped
     * @param listener told of each request served
     * @throws RecordedInputException if an input is missing or unreadable
     */
    public Summary run(Consumer<RecordedInputException> badLines, PacedLoad.Listener listener)
            throws IOException, InterruptedException {
        try (RecordedInput input = RecordedInput.lenient(options.inputs(), options.input(), badLines);
                LoadWorker worker = new LoadWorker(options.worker())) {
            worker.start();
            PacedLoad.Summary done = serveObserved(input, worker, listener);
            return new Summary(done, input.badLines(), worker.views(), worker.reportFailures());
        }
    }

    /** Ends {@link #run}: the request being served is finished, reports are sent. */
    public void stop() {
        stopped.countDown();
        PacedLoad running = load;
        if (running != null) {
            running.stop();
        }
    }

    /** Port of the metrics endpoint while it runs, else {@link LoadProcessOptions#NO_METRICS}. */
    public int metricsPort() {
        return metricsPort;
    }

    private PacedLoad.Summary serveObserved(RecordedInput input, LoadWorker worker, PacedLoad.Listener listener)
            throws InterruptedException {
        if (options.metricsPort() == LoadProcessOptions.NO_METRICS) {
            return serve(input, worker, listener);
        }
        try (OperatorEndpoint endpoint = OperatorEndpoint.start(
                options.metricsHost(), options.metricsPort(), worker.metrics()::scrape, worker::live, worker::ready)) {
            metricsPort = endpoint.port();
            return serve(input, worker, listener);
        } finally {
            metricsPort = LoadProcessOptions.NO_METRICS;
        }
    }

    private PacedLoad.Summary serve(RecordedInput input, LoadWorker worker, PacedLoad.Listener listener)
            throws InterruptedException {
        if (options.inputs().isEmpty()) {
            stopped.await();
            return new PacedLoad.Summary(0, 0, 0);
        }
        load = new PacedLoad(List.of(worker), options.pace(), listener);
        if (stopped.getCount() == 0) {
            load.stop();
        }
        return load.run(input);
    }
}
