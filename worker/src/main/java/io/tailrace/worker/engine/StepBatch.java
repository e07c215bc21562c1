package io.tailrace.worker.engine;

import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TopTokens;
import io.tailrace.worker.model.TreeInput;
import io.tailrace.worker.sampling.LogSoftmax;
import io.tailrace.worker.sampling.SamplingParameters;
import io.tailrace.worker.sampling.TokenSampler;
import java.util.ArrayList;
import java.util.List;

/** One step of all running requests: plan, draft, one pass, accept. A request's place in the step is its place among those that verify. One thread. */
final class StepBatch implements StepOutcomes {
    private final EngineParts parts;
    private final EngineOptions options;
    private final EngineDrafts engineDrafts;
    private final DraftPlan plan;
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
        this.engineDrafts = parts.drafts();
        this.plan = new DraftPlan(engineDrafts.source());
        this.candidates =
                new CandidateFeed(engineDrafts.candidates(), parts.model().vocabularySize());
        this.nodes = new int[options.batchMax()];
    }

    /** Steps once; every request takes part whose turn it is. */
    void step(List<RunningRequest> running) {
        boolean prompts = plan(running);
        DraftedStep step = draft();
        parts.budget().trim(drafts, budgets, Integer.MAX_VALUE, nodes);
        int tokens = gather();
        long began = System.nanoTime();
        engineDrafts.ahead().verificationBegins(nodes);
        Logits logits = forward();
        offer(logits);
        for (int i = 0; i < taking.size(); i++) {
            accept(logits, i);
        }
        engineDrafts.ahead().verificationEnded();
        long nanos = System.nanoTime() - began;
        learn(!prompts, tokens, nanos);
        step.verified(this);
        verifying.forEach(RunningRequest::noteVersion);
    }

    private void accept(Logits logits, int input) {
        RunningRequest request = taking.get(input);
        request.accept(logits, input, rows, engineDrafts);
        if (request.drafts() && request.remembered()) { // the lane's other requests draft from them
            candidates.feed(logits, input, inputs.get(input), request.place(), request.drafted());
        }
    }

    @Override
    public int[] tokens(int place) {
        return verifying.get(place).verdict().tokens();
    }

    @Override
    public int count(int place) {
        return verifying.get(place).verdict().length();
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

    private DraftedStep draft() {
        drafts.clear();
        budgets.clear();
        for (RunningRequest request : verifying) {
            request.planDraft(
                    plan, verifying.size(), options.budgetMax(), parts.model().sequenceTokensMax());
        }
        DraftedStep step = plan.draft();
        for (RunningRequest request : verifying) {
            request.drafted(step);
            drafts.add(step.draft(request.place()));
            budgets.add(request.budget());
        }
        return step;
    }

    private void offer(Logits logits) {
        for (int i = 0; i < taking.size(); i++) {
            taking.get(i).offer(logits, i, engineDrafts.choice());
        }
        engineDrafts.choice().choose();
    }

    private Logits forward() {
        return engineDrafts.pass().completes()
                ? parts.model().forward(inputs, engineDrafts.pass()::complete)
                : parts.model().forward(inputs);
    }

    private int gather() {
        inputs.clear();
        int tokens = 0;
        int verifies = 0;
        for (RunningRequest request : taking) {
            int place = inputs.size();
            inputs.add(request.input(place, request.verifies() ? nodes[verifies++] : 0, engineDrafts.pass()));
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

    /** Chooses tokens from rows of logits; greedy ones where the logits lie. One thread. */
    static final class RowChoice {
        private final TokenSampler sampler = new TokenSampler();
        private final TopTokens ranking = new TopTokens();
        private final float[] row;

        RowChoice(int vocabularySize) {
            row = new float[vocabularySize];
        }

        int choose(Logits logits, int input, int node, SamplingParameters sampling, int position) {
            if (sampling.greedy()) {
                return logits.argmax(input, node);
            }
            logits.copy(input, node, row);
            return sampler.sample(sampling, row, row.length, position);
        }

        /** How likely a token was after a node, and so many of the likeliest. */
        TokenLogprob logprob(Logits logits, int input, int node, int token, int top) {
            logits.copy(input, node, row);
            double normalizer = LogSoftmax.normalizer(row, row.length);
            int[] topTokens = new int[Math.min(top, row.length)];
            float[] topLogits = new float[topTokens.length];
            if (topTokens.length > 0) {
                ranking.begin(topTokens, topLogits);
                ranking.add(row, row.length, 0);
            }
            double[] topLogprobs = new double[topTokens.length];
            for (int i = 0; i < topLogprobs.length; i++) {
                topLogprobs[i] = topLogits[i] - normalizer;
            }
            return new TokenLogprob(token, row[token] - normalizer, topTokens, topLogprobs);
        }
    }
}
