package io.tailrace.worker.serve;

import io.tailrace.client.TailraceClient;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.EngineParts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows an answer inside the worker: the lane drafts from it, meters count. On a thread of its own, in the order of
 * completion, so that decoding waits for none of it. Cancelled answers are no generations: nobody was answered.
 */
final class Completions implements EngineParts.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final TailraceClient client;
    private final ServingMetrics metrics;
    private final ServingWatch watch;
    private final OrderedWork work;

    Completions(TailraceClient client, ServingMetrics metrics, ServingWatch watch) {
        this.client = client;
        this.metrics = metrics;
        this.watch = watch;
        this.work = new OrderedWork(client.options().name() + "-completions");
    }

    /** Whether an answer is a generation. */
    static boolean isGeneration(Answer answer) {
        return answer.reason() != Answer.FinishReason.CANCELLED
                && answer.decoded().output().length > 0;
    }

    @Override
    public void stepped(int batch, int tokens, long nanos, long draftNanos) {
        metrics.stepped(batch, nanos, draftNanos);
    }

    @Override
    public void finished(Answer answer) {
        if (isGeneration(answer)) {
            work.execute(() -> complete(answer));
        } else {
            metrics.cancelled();
        }
    }

    /** Returns when every answer until now is remembered. */
    @Override
    public void close() {
        work.close();
    }

    private void complete(Answer answer) {
        try {
            DecodeRequest request = answer.request();
            if (request.remembered()) {
                client.lane(request.scope())
                        .finished(
                                request.id(),
                                client.remembered(
                                        request.scope(),
                                        request.prompt(),
                                        answer.decoded().output()),
                                answer.completedAtMillis());
            }
            metrics.served(client.options().model().lane(request.scope()), answer);
            watch.answered(answer);
        } catch (RuntimeException e) {
            LOG.error("answer {} is not remembered", answer.request().id(), e);
        }
    }
}
