package io.tailrace.lab.load;

import io.tailrace.lab.recorded.RecordedInput;
import io.tailrace.lab.recorded.RecordedInputException;
import io.tailrace.lab.recorded.RecordedInputOptions;
import io.tailrace.monitoring.OperatorEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One worker from start to end: follows snapshots, serves its inputs at a pace, shows its metrics. {@link #run} returns when
 * the input has ended, or, without input, when {@link #stop} is called; interrupting its thread ends it too.
 */
public final class LoadProcess {
    private final Options options;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile PacedLoad load;
    private volatile int metricsPort = Options.NO_METRICS;

    public LoadProcess(Options options) {
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
    public record Summary(
            PacedLoad.Summary served, long badLines, List<LoadWorker.LaneView> views, long reportFailures) {}

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

    /** Port of the metrics endpoint while it runs, else {@link Options#NO_METRICS}. */
    public int metricsPort() {
        return metricsPort;
    }

    private PacedLoad.Summary serveObserved(RecordedInput input, LoadWorker worker, PacedLoad.Listener listener)
            throws InterruptedException {
        if (options.metricsPort() == Options.NO_METRICS) {
            return serve(input, worker, listener);
        }
        try (OperatorEndpoint endpoint = OperatorEndpoint.start(
                options.metricsHost(),
                options.metricsPort(),
                () -> "tailrace load",
                worker.metrics()::scrape,
                worker::live,
                worker::ready)) {
            metricsPort = endpoint.port();
            return serve(input, worker, listener);
        } finally {
            metricsPort = Options.NO_METRICS;
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

    /**
     * A worker as a process of its own.
     *
     * @param worker the worker
     * @param inputs what it serves, one file after the other; none: it only follows snapshots until it is stopped
     * @param input how they are read
     * @param pace how fast
     * @param metricsHost address of the metrics endpoint
     * @param metricsPort its port; 0: any free one; -1: none
     */
    public record Options(
            LoadWorker.Options worker,
            List<Path> inputs,
            RecordedInputOptions input,
            PacedLoad.Pace pace,
            String metricsHost,
            int metricsPort) {
        public static final int NO_METRICS = -1;

        public Options {
            inputs = List.copyOf(inputs);
            if (metricsPort < NO_METRICS || metricsPort > 65_535) {
                throw new IllegalArgumentException("metricsPort must be -1 to 65535, got " + metricsPort);
            }
            if (input.vocabularySize() != worker.model().vocabularySize()) {
                throw new IllegalArgumentException("the input's vocabulary size %d must be the model's, %d"
                        .formatted(input.vocabularySize(), worker.model().vocabularySize()));
            }
        }
    }
}
