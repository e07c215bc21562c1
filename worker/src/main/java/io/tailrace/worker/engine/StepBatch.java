package io.tailrace.worker.engine;

import io.tailrace.client.budget.RequestBudget;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TreeInput;
import java.util.ArrayList;
import java.util.List;

/** One step of all running requests: plan, draft, one pass, accept. One thread. */
final class StepBatch {
    private final EngineParts parts;
    private final EngineOptions options;
    private final RowChoice rows;
    private final CandidateFeed candidates;
    private final List<RunningRequest> taking = new ArrayList<>();
    private final List<RunningRequest> verifying = new ArrayList<>();
    private final List<Draft> drafts = new ArrayList<>();
    private final List<RequestBudget> budgets = new ArrayList<>();
    private final List<TreeInput> inputs = new ArrayList<>();
    private final int[] nodes;

    StepBatch(EngineParts parts, EngineOptions options) {
        this.parts = parts;
        this.options = options;
        this.rows = new RowChoice(parts.model().vocabularySize());
        this.candidates = new CandidateFeed(parts.drafts(), parts.model().vocabularySize());
        this.nodes = new int[options.batchMax()];
    }

    /** Steps once; every request takes part whose turn it is. */
    void step(List<RunningRequest> running) {
        boolean prompts = plan(running);
        draft();
        parts.budget().trim(drafts, budgets, nodes);
        int tokens = gather();
        long began = System.nanoTime();
        beginVerification();
        Logits logits = forward();
        offer(logits);
        for (int i = 0; i < taking.size(); i++) {
            RunningRequest request = taking.get(i);
            request.accept(logits, i, rows);
            if (request.drafts()) {
                candidates.feed(logits, i, inputs.get(i), request.drafting(), request.drafted());
            }
        }
        parts.drafts().verificationEnded();
        long nanos = System.nanoTime() - began;
        learn(!prompts, tokens, nanos);
    }

    /** Decoding requests first: a long prompt of one shall not hold up the others' tokens. */
    private boolean plan(List<RunningRequest> running) {
        taking.clear();
        verifying.clear();
        int prefillLeft = options.prefillTokensMax();
        boolean prompts = false;
        for (RunningRequest request : running) {
            int line = request.plan(prefillLeft);
            if (line > 1) {
                prefillLeft -= line;
                prompts = true;
            }
            if (line > 0) {
                taking.add(request);
            }
            if (request.verifies()) {
                verifying.add(request);
            }
        }
        return prompts;
    }

    private void draft() {
        drafts.clear();
        budgets.clear();
        for (RunningRequest request : verifying) {
            request.planDraft(
                    verifying.size(), options.budgetMax(), parts.model().sequenceTokensMax());
        }
        long began = System.nanoTime();
        parts.drafts().draftPlanned();
        long share = verifying.isEmpty() ? 0 : (System.nanoTime() - began) / verifying.size();
        for (RunningRequest request : verifying) {
            drafts.add(request.draft(share));
            budgets.add(request.budget());
        }
    }

    private void beginVerification() {
        for (int i = 0; i < verifying.size(); i++) {
            verifying.get(i).drafting().verifying(nodes[i]);
        }
        parts.drafts().verificationBegins();
    }

    private void offer(Logits logits) {
        for (int i = 0; i < taking.size(); i++) {
            taking.get(i).offer(logits, i);
        }
        parts.drafts().chooseOffered();
    }

    private Logits forward() {
        return parts.drafts().completes()
                ? parts.model().forward(inputs, parts.drafts()::complete)
                : parts.model().forward(inputs);
    }

    private int gather() {
        inputs.clear();
        int tokens = 0;
        int verifies = 0;
        for (RunningRequest request : taking) {
            int place = inputs.size();
            inputs.add(request.input(place, request.verifies() ? nodes[verifies++] : 0));
            tokens += inputs.get(inputs.size() - 1).size();
        }
        return tokens;
    }

    private void learn(boolean comparable, int tokens, long nanos) {
        long draftNanos = 0;
        if (comparable) {
            parts.budget().measured(taking.size(), tokens, nanos);
        }
        for (RunningRequest request : verifying) {
            draftNanos += request.draftNanos();
            request.learn(taking.size(), tokens, comparable, nanos);
        }
        parts.listener().stepped(taking.size(), tokens, nanos, draftNanos);
    }
}
