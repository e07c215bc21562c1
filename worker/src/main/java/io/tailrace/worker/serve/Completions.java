package io.tailrace.worker.serve;

import io.tailrace.worker.decode.DecodeTally;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.EngineListener;
import io.tailrace.worker.engine.FinishReason;
import io.tailrace.worker.engine.NoDrafts;
import io.tailrace.worker.follow.FollowedLanes;
import io.tailrace.worker.report.Reporter;
import io.tailrace.worker.report.ServedRequest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows an answer: the lane drafts from it, Kafka is told, meters count. On a thread of its own, in the order of
 * completion, so that decoding waits for none of it. Cancelled answers are no generations: nobody was answered.
 */
final class Completions implements EngineListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final ServingWorkerOptions options;
    private final FollowedLanes lanes;
    private final Reporter reporter;
    private final ServingMetrics metrics;
    private final ExecutorService thread;

    Completions(ServingWorkerOptions options, FollowedLanes lanes, Reporter reporter, ServingMetrics metrics) {
        this.options = options;
        this.lanes = lanes;
        this.reporter = reporter;
        this.metrics = metrics;
        this.thread = Executors.newSingleThreadExecutor(work -> {
            Thread worker = new Thread(work, options.name() + "-completions");
            worker.setDaemon(true);
            return worker;
        });
    }

    @Override
    public void stepped(int batch, int tokens, long nanos, long draftNanos) {
        metrics.stepped(batch, nanos, draftNanos);
    }

    @Override
    public void finished(Answer answer) {
        if (answer.reason() == FinishReason.CANCELLED || answer.decoded().output().length == 0) {
            metrics.cancelled();
            return;
        }
        thread.execute(() -> complete(answer));
    }

    /** Returns when every answer until now is remembered and reported. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(60, TimeUnit.SECONDS)) {
                LOG.error(
                        "{} answers were not reported in time",
                        thread.shutdownNow().size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void complete(Answer answer) {
        try {
            ServedRequest served = served(answer);
            if (answer.request().remembered()) {
                lanes.ofRequest(answer.request().scope())
                        .finished(served.requestId(), answer.decoded().output(), served.completedAtMillis());
                reporter.generation(served.generation());
                reporter.outcome(served.outcome());
            }
            metrics.served(served, answer);
        } catch (RuntimeException e) {
            LOG.error("answer {} was not reported", answer.request().id(), e);
        }
    }

    private ServedRequest served(Answer answer) {
        boolean prompts = options.reporting().map(ReportingOptions::prompts).orElse(false);
        DecodeTally notMeasured = null;
        return new ServedRequest(
                answer.request().id(),
                options.model().lane(answer.request().scope()).toLane(),
                options.name(),
                options.workerClass(),
                answer.request().drafted() ? options.drafts().strategy() : NoDrafts.STRATEGY,
                prompts ? answer.request().prompt() : null,
                answer.request().prompt().length,
                answer.request().sampling().temperature(),
                answer.decoded(),
                notMeasured,
                answer.queuedAtMillis(),
                answer.completedAtMillis());
    }
}
