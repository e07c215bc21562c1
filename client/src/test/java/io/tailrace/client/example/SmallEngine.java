package io.tailrace.client.example;

import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftedStep;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A serving engine in sixty lines, without a model: what its requests will say is known beforehand. It drafts for all of its requests at once,
 * verifies as much as pays, says what came of it, and reports what it has served.
 */
final class SmallEngine implements AutoCloseable {
    private static final int DRAFT_TOKENS_MAX = 16;

    private final TailraceClient client;
    private final BudgetChoice budgets;
    private final DraftSource source;
    private final DraftPlan plan;

    SmallEngine(TailraceClient client, BudgetChoice budgets, int requestsMax) {
        this.client = client;
        this.budgets = budgets;
        this.source = client.drafts(requestsMax);
        this.plan = new DraftPlan(source);
    }

    SmallRequest begin(String id, String scope, int[] prompt, int[] answer) {
        return new SmallRequest(id, scope, prompt, answer, source.begin(scope, prompt), budgets, client.terms(scope));
    }

    /** Serves requests side by side to their ends. */
    void serve(List<SmallRequest> requests) {
        List<SmallRequest> running = requests;
        while (!running.isEmpty()) {
            step(running);
            running.stream()
                    .filter(SmallRequest::finished)
                    .forEach(ended -> client.finished(ended.end(client, source)));
            running = running.stream().filter(request -> !request.finished()).toList();
        }
    }

    private void step(List<SmallRequest> running) {
        running.forEach(request -> plan.add(
                request.drafts(),
                request.wanted(running.size(), DRAFT_TOKENS_MAX),
                request.budget().probabilityMin()));
        DraftedStep step = plan.draft();
        int[] nodes = new int[running.size()];
        budgets.trim(
                IntStream.range(0, nodes.length).mapToObj(step::draft).toList(),
                running.stream().map(SmallRequest::budget).toList(),
                Integer.MAX_VALUE,
                nodes);
        long began = System.nanoTime();
        for (int place = 0; place < nodes.length; place++) {
            running.get(place).verify(step.draft(place), nodes[place], step.nanos(place));
        }
        budgets.measured(nodes.length, nodes.length + IntStream.of(nodes).sum(), System.nanoTime() - began);
        step.verified(SmallRequest.outcomes(running));
    }

    @Override
    public void close() {
        source.close();
    }
}
