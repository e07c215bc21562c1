package io.tailrace.worker.serve;

import io.tailrace.client.ReportingOptions;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.schemas.Finish;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.DecodeRequest;
import io.tailrace.worker.engine.TokenLogprob;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an answer into its records, once, reports it, and only then tells its client that it is complete: whoever has a whole answer can rely on it being in the
 * spool, also if the worker is killed the next moment. Tokens go to the client as they come. On a thread of its own, in the order
 * of completion: decoding waits for no disk, and no client for another lane's index.
 */
final class ReportedAnswers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedAnswers.class);

    private static final DecodeTally OWN_CONTEXT_NOT_MEASURED = null;
    private static final RememberedAnswer REMEMBERED_ELSEWHERE = null;

    private final ServingWorkerOptions options;
    private final boolean prompts;
    private final Reporter reporter;
    private final OrderedWork work;
    private final AtomicLong failures = new AtomicLong();

    ReportedAnswers(ServingWorkerOptions options, Reporter reporter) {
        this.options = options;
        this.prompts = options.reporting().map(ReportingOptions::prompts).orElse(false);
        this.reporter = reporter;
        this.work = new OrderedWork(options.name() + "-answers");
    }

    /** A sink that reports before its client hears of the end. */
    Answer.Sink before(Answer.Sink client) {
        return new ReportingSink(client);
    }

    /** Answers that could not be made into reports. */
    long failures() {
        return failures.get();
    }

    /** Returns when every answer until now is reported and its client told. */
    @Override
    public void close() {
        work.close();
    }

    private void report(Answer answer) {
        try {
            if (answer.request().remembered() && Completions.isGeneration(answer)) {
                ServedRequest served = served(answer);
                reporter.generation(served.generation());
                reporter.outcome(served.outcome());
            }
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            LOG.error("answer {} was not reported", answer.request().id(), e);
        }
    }

    private ServedRequest served(Answer answer) {
        DecodeRequest request = answer.request();
        return new ServedRequest(
                request.id(),
                options.model().lane(request.scope()).toLane(),
                options.name(),
                options.workerClass(),
                request.drafted() ? options.drafts().strategy() : NoDrafts.STRATEGY,
                prompts ? request.prompt() : null,
                REMEMBERED_ELSEWHERE,
                request.prompt().length,
                request.sampling().temperature(),
                answer.decoded(),
                OWN_CONTEXT_NOT_MEASURED,
                answer.queuedAtMillis(),
                answer.completedAtMillis(),
                finish(answer.reason()));
    }

    private static Finish finish(Answer.FinishReason reason) {
        return switch (reason) {
            case STOP -> Finish.STOP;
            case LENGTH -> Finish.LENGTH;
            case CANCELLED -> Finish.ABORTED;
        };
    }

    private final class ReportingSink implements Answer.Sink {
        private final Answer.Sink client;

        ReportingSink(Answer.Sink client) {
            this.client = client;
        }

        @Override
        public void tokens(int[] tokens, int count, String text, List<TokenLogprob> logprobs) {
            client.tokens(tokens, count, text, logprobs);
        }

        @Override
        public void finished(Answer answer) {
            work.execute(() -> {
                try {
                    report(answer);
                } finally {
                    client.finished(answer);
                }
            });
        }

        @Override
        public void failed(Throwable cause) {
            client.failed(cause);
        }
    }
}
