package io.tailrace.agent.serve;

import io.tailrace.client.TailraceClient;
import io.tailrace.client.follow.KeptAnswers;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.schemas.LaneId;
import java.io.IOException;
import java.util.Optional;

/**
 * The client of a model, and where its answers go: to the fleet, or into a folder where the agent is alone.
 *
 * @param client what drafts
 * @param kept empty: there is a fleet
 */
record ModelClient(TailraceClient client, Optional<KeptAnswers> kept) implements AutoCloseable {
    /** Opens and starts the client of a model. */
    static ModelClient open(AgentOptions options, ServedModel model) throws IOException {
        TailraceClient client = TailraceClient.open(options.clients().apply(model));
        try {
            Optional<KeptAnswers> kept = options.kept().isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            KeptAnswers.open(client.lanes(), options.kept().get(), AgentOptions.KEPT_TOKENS_MAX));
            client.start();
            return new ModelClient(client, kept);
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** Told the fleet, or kept; when it returns a spool has it, where there is one. */
    void report(ServedRequest served) {
        client.report(served);
        kept.ifPresent(answers -> answers.add(
                LaneId.of(served.lane()),
                served.requestId(),
                served.worker(),
                served.decoded().output(),
                served.completedAtMillis()));
    }

    @Override
    public void close() {
        try (client) {
            kept.ifPresent(KeptAnswers::close);
        }
    }
}
