package io.tailrace.worker.serve;

import io.tailrace.client.draft.NoDrafts;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.worker.engine.Answer;

/** What a worker's answers look like as records. */
final class AnswerRecords {
    private static final DecodeTally NOT_MEASURED = null;

    private final ServingWorkerOptions options;
    private final boolean prompts;

    AnswerRecords(ServingWorkerOptions options) {
        this.options = options;
        this.prompts = options.reporting().map(ReportingOptions::prompts).orElse(false);
    }

    ServedRequest of(Answer answer) {
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
                NOT_MEASURED,
                answer.queuedAtMillis(),
                answer.completedAtMillis());
    }
}
