package io.tailrace.worker.serve;

import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.suffix.draft.Draft;

/**
 * {@code hybrid}: the suffix draft where its score, the sum of its nodes' probabilities, passes a threshold, else another source's draft; anew
 * for every request and step (SAM-Decoding's choice by match length, arXiv 2411.10666, section 3.3, with what the mixer
 * expects in place of the length). Both sources hear of every verification. With an infinite threshold no suffix is searched for.
 *
 * <p>First comes everybody's suffix draft, which is cheap; then the other source drafts, for those together whose is not good enough. Each
 * request has the same place in the steps of both sources as in the whole one.
 */
final class HybridDrafts implements DraftSource {
    private final String strategy;
    private final DraftSource suffix;
    private final DraftSource other;
    private final double threshold;
    private final DraftPlan suffixPlan;
    private final DraftPlan otherPlan;
    private DraftedStep suffixStep;
    private DraftedStep otherStep;

    HybridDrafts(String strategy, DraftSource suffix, DraftSource other, double threshold) {
        this.strategy = strategy;
        this.suffix = suffix;
        this.other = other;
        this.threshold = threshold;
        this.suffixPlan = new DraftPlan(suffix);
        this.otherPlan = new DraftPlan(other);
    }

    private record Request(RequestDrafts ofSuffix, RequestDrafts ofOther) implements RequestDrafts {
        @Override
        public long snapshotVersion() {
            return Math.max(ofSuffix.snapshotVersion(), ofOther.snapshotVersion());
        }

        @Override
        public DraftLearning learned() {
            return ofSuffix.learned().plus(ofOther.learned());
        }

        @Override
        public void close() {
            ofSuffix.close();
            ofOther.close();
        }
    }

    @Override
    public String strategy() {
        return strategy;
    }

    @Override
    public RequestDrafts begin(String scope, int[] prompt) {
        return new Request(suffix.begin(scope, prompt), other.begin(scope, prompt));
    }

    @Override
    public void draft(Step step) {
        draftSuffixes(step);
        for (int place = 0; place < step.size(); place++) {
            int budget = isOthers(step, place) ? step.budget(place) : 0;
            otherPlan.add(request(step, place).ofOther(), budget, step.probabilityMin(place));
        }
        otherStep = otherPlan.draft();
        for (int place = 0; place < step.size(); place++) {
            DraftedStep taken = isOthers(step, place) ? otherStep : suffixStep;
            step.put(place, taken.draft(place), suffixStep.nanos(place) + otherStep.nanos(place));
        }
    }

    /** Suffix drafts are grown in full, since each of their nodes counts. */
    private void draftSuffixes(Step step) {
        for (int place = 0; place < step.size(); place++) {
            int budget = Double.isInfinite(threshold) ? 0 : step.budget(place);
            suffixPlan.add(request(step, place).ofSuffix(), budget, 0);
        }
        suffixStep = suffixPlan.draft();
    }

    private boolean isOthers(Step step, int place) {
        return step.budget(place) > 0 && score(suffixStep.draft(place)) < threshold;
    }

    private static double score(Draft draft) {
        double sum = 0;
        for (int node = 0; node < draft.size(); node++) {
            sum += draft.probability(node);
        }
        return sum;
    }

    private static Request request(Step step, int place) {
        return step.request(place, Request.class);
    }

    @Override
    public void verified(Step step, StepOutcomes outcomes) {
        suffixStep.verified(outcomes);
        otherStep.verified(outcomes);
    }

    @Override
    public void close() {
        suffix.close();
        other.close();
    }
}
