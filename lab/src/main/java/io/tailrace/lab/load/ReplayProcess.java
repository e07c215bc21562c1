package io.tailrace.lab.load;

import io.tailrace.lab.input.ReplayInput;
import io.tailrace.lab.input.ReplayInputException;
import io.tailrace.worker.http.OperatorEndpoint;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One worker from start to end: follows snapshots, replays its inputs at a pace, shows its metrics. {@link #run} returns when
 * the input has ended, or, without input, when {@link #stop} is called; interrupting its thread ends it too.
 */
public final class ReplayProcess {
    private final ReplayProcessOptions options;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile PacedReplay replay;
    private volatile int metricsPort = ReplayProcessOptions.NO_METRICS;

    public ReplayProcess(ReplayProcessOptions options) {
        this.options = options;
    }

    /**
     * What was done.
     *
     * @param replay requests dealt and served
     * @param badLines lines of the inputs that were skipped
     * @param views the lanes at the end
     * @param reportFailures reports given up
     */
    public record Summary(PacedReplay.Summary replay, long badLines, List<LaneView> views, long reportFailures) {}

    /**
     * Runs the worker on the caller's thread.
     *
     * @param badLines told of each line that is skipped
     * @param listener told of each request served
     * @throws ReplayInputException if an input is missing or unreadable
     */
    public Summary run(Consumer<ReplayInputException> badLines, ReplayListener listener)
            throws IOException, InterruptedException {
        try (ReplayInput input = ReplayInput.lenient(options.inputs(), options.input(), badLines);
                ReplayWorker worker = new ReplayWorker(options.worker())) {
            worker.start();
            PacedReplay.Summary done = serveObserved(input, worker, listener);
            return new Summary(done, input.badLines(), worker.views(), worker.reportFailures());
        }
    }

    /** Ends {@link #run}: the request being served is finished, reports are sent. */
    public void stop() {
        stopped.countDown();
        PacedReplay running = replay;
        if (running != null) {
            running.stop();
        }
    }

    /** Port of the metrics endpoint while it runs, else {@link ReplayProcessOptions#NO_METRICS}. */
    public int metricsPort() {
        return metricsPort;
    }

    private PacedReplay.Summary serveObserved(ReplayInput input, ReplayWorker worker, ReplayListener listener)
            throws InterruptedException {
        if (options.metricsPort() == ReplayProcessOptions.NO_METRICS) {
            return serve(input, worker, listener);
        }
        try (OperatorEndpoint endpoint = OperatorEndpoint.start(
                options.metricsHost(), options.metricsPort(), worker.metrics()::scrape, worker::live, worker::ready)) {
            metricsPort = endpoint.port();
            return serve(input, worker, listener);
        } finally {
            metricsPort = ReplayProcessOptions.NO_METRICS;
        }
    }

    private PacedReplay.Summary serve(ReplayInput input, ReplayWorker worker, ReplayListener listener)
            throws InterruptedException {
        if (options.inputs().isEmpty()) {
            stopped.await();
            return new PacedReplay.Summary(0, 0, 0);
        }
        replay = new PacedReplay(List.of(worker), options.pace(), listener);
        if (stopped.getCount() == 0) {
            replay.stop();
        }
        return replay.run(input);
    }
}
