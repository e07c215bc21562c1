package io.tailrace.worker.serve;

import io.tailrace.client.report.Reporter;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.worker.engine.Answer;
import io.tailrace.worker.engine.AnswerSink;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports an answer, and only then tells its client that it is complete: whoever has a whole answer can rely on it being in the
 * spool, also if the worker is killed the next moment. Tokens go to the client as they come. On a thread of its own, in the order
 * of completion: decoding waits for no disk, and no client for another lane's index.
 */
final class ReportedAnswers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReportedAnswers.class);

    private final AnswerRecords records;
    private final Reporter reporter;
    private final OrderedWork work;
    private final AtomicLong failures = new AtomicLong();

    ReportedAnswers(ServingWorkerOptions options, Reporter reporter) {
        this.records = new AnswerRecords(options);
        this.reporter = reporter;
        this.work = new OrderedWork(options.name() + "-answers");
    }

    /** A sink that reports before its client hears of the end. */
    AnswerSink before(AnswerSink client) {
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
                ServedRequest served = records.of(answer);
                reporter.generation(served.generation());
                reporter.outcome(served.outcome());
            }
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            LOG.error("answer {} was not reported", answer.request().id(), e);
        }
    }

    private final class ReportingSink implements AnswerSink {
        private final AnswerSink client;

        ReportingSink(AnswerSink client) {
            this.client = client;
        }

        @Override
        public void tokens(int[] tokens, int count) {
            client.tokens(tokens, count);
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
