package io.tailrace.worker.serve;

import io.tailrace.gpu.DraftDevice;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.http.ServingEndpoint;
import io.tailrace.worker.model.LanguageModel;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serving worker with its HTTP server, from start to orderly end. On {@link #stop} it refuses new requests, answers those it
 * has taken, reports them, and sends what Kafka takes.
 */
public final class ServingProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServingProcess.class);
    private static final Duration LIVE_LOOK = Duration.ofSeconds(1);

    private final ServingWorkerOptions worker;
    private final EndpointOptions endpoint;
    private final Duration drainTimeMax;
    private final ServingWatch watch;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private String readiness = "";

    /**
     * A process that is not started yet.
     *
     * @param drainTimeMax how long requests that are being answered may take after {@link #stop}
     */
    public ServingProcess(ServingWorkerOptions worker, EndpointOptions endpoint, Duration drainTimeMax) {
        this(worker, endpoint, drainTimeMax, ServingWatch.NONE);
    }

    /**
     * The same with somebody who looks on.
     *
     * @param watch hears of answers and of what is followed
     */
    public ServingProcess(
            ServingWorkerOptions worker, EndpointOptions endpoint, Duration drainTimeMax, ServingWatch watch) {
        this.worker = worker;
        this.endpoint = endpoint;
        this.drainTimeMax = drainTimeMax;
        this.watch = watch;
    }

    /**
     * Serves on the caller's thread until {@link #stop}.
     *
     * @param model taken over
     * @param started told the port once requests can be answered
     * @return false if it ended because the model broke, or with requests unanswered
     */
    public boolean run(LanguageModel model, IntConsumer started) throws IOException, InterruptedException {
        return run(model, Optional.empty(), started);
    }

    /**
     * Serves on the caller's thread until {@link #stop}.
     *
     * @param model taken over
     * @param device taken over; drafts and chooses tokens in the host's place
     * @param started told the port once requests can be answered
     * @return false if it ended because the model broke, or with requests unanswered
     */
    public boolean run(LanguageModel model, Optional<DraftDevice> device, IntConsumer started)
            throws IOException, InterruptedException {
        try (ServingWorker serving = new ServingWorker(worker, model, device, watch)) {
            serving.start();
            try (ServingEndpoint http = ServingEndpoint.start(endpoint, serving)) {
                started.accept(http.port());
                noteReadiness(serving);
                boolean broken = awaitEnd(serving);
                return serving.drain(drainTimeMax) && !broken;
            }
        }
    }

    /** Ends {@link #run} in order. */
    public void stop() {
        stopped.countDown();
    }

    private boolean awaitEnd(ServingWorker serving) throws InterruptedException {
        while (!stopped.await(LIVE_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            if (serving.broken()) {
                LOG.error("the worker ends, since its model or its GPU broke; it must be started again");
                return true;
            }
            noteReadiness(serving);
            watch.followed(serving.lanes());
        }
        LOG.info("stopping: requests that were taken are answered, new ones refused");
        return false;
    }

    /** Says when the worker gets ready, and what it waits for until then; each change once. */
    private void noteReadiness(ServingWorker serving) {
        String now = serving.notReady().map(why -> "not ready: " + why).orElse("ready");
        if (!now.equals(readiness)) {
            readiness = now;
            LOG.info("the worker is {}", now);
        }
    }
}
