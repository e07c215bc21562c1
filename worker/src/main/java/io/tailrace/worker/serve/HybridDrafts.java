package io.tailrace.worker.serve;

import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.engine.DraftSource;
import io.tailrace.worker.engine.Drafting;
import io.tailrace.worker.engine.NoDrafts;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code hybrid}: the suffix draft where its score, the sum of its nodes' probabilities, passes a threshold, else another source's draft; anew
 * for every request and step (SAM-Decoding's choice by match length, arXiv 2411.10666, section 3.3, with what the mixer
 * expects in place of the length). Both sources hear of every verification. With an infinite threshold no suffix is searched for.
 */
final class HybridDrafts implements DraftSource {
    private final String strategy;
    private final DraftSource suffix;
    private final DraftSource other;
    private final double threshold;
    private final List<HybridDrafting> planned = new ArrayList<>();

    HybridDrafts(String strategy, DraftSource suffix, DraftSource other, double threshold) {
        this.strategy = strategy;
        this.suffix = suffix;
        this.other = other;
        this.threshold = threshold;
    }

    @Override
    public String strategy() {
        return strategy;
    }

    @Override
    public Drafting begin(String scope, int[] prompt) {
        return new HybridDrafting(suffix.begin(scope, prompt), other.begin(scope, prompt));
    }

    /** First everybody's suffix draft, which is cheap; then the other source, for those together whose is not good enough. */
    @Override
    public void draftPlanned() {
        suffix.draftPlanned();
        planned.forEach(HybridDrafting::choose);
        planned.clear();
        other.draftPlanned();
    }

    @Override
    public void verificationBegins() {
        suffix.verificationBegins();
        other.verificationBegins();
    }

    @Override
    public void verificationEnded() {
        suffix.verificationEnded();
        other.verificationEnded();
    }

    @Override
    public int candidatesWanted() {
        return other.candidatesWanted();
    }

    @Override
    public void close() {
        suffix.close();
        other.close();
    }

    private final class HybridDrafting implements Drafting {
        private final Drafting first;
        private final Drafting second;
        private int wanted;
        private Draft ownDraft;
        private boolean ofSecond;

        HybridDrafting(Drafting first, Drafting second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void plan(int budget) {
            wanted = budget;
            first.plan(suffixBudget());
            planned.add(this);
        }

        private void choose() {
            ofSecond = false;
            ownDraft = NoDrafts.EMPTY;
            if (wanted == 0) {
                return;
            }
            ownDraft = first.draft(suffixBudget());
            ofSecond = score(ownDraft) < threshold;
            if (ofSecond) {
                second.plan(wanted);
            }
        }

        private int suffixBudget() {
            return Double.isInfinite(threshold) ? 0 : wanted;
        }

        @Override
        public Draft draft(int budget) {
            return ofSecond ? second.draft(budget) : ownDraft;
        }

        @Override
        public void verifying(int nodes) {
            (ofSecond ? second : first).verifying(nodes);
        }

        @Override
        public void verified(int[] tokens, int count) {
            first.verified(tokens, count);
            second.verified(tokens, count);
        }

        @Override
        public boolean lacks(int token) {
            return second.lacks(token);
        }

        @Override
        public void candidates(int token, int[] candidates) {
            second.candidates(token, candidates);
        }

        @Override
        public void learned(DecodeTally tally) {
            first.learned(tally);
        }

        @Override
        public long snapshotVersion() {
            return first.snapshotVersion();
        }

        @Override
        public void close() {
            first.close();
            second.close();
        }
    }

    private static double score(Draft draft) {
        double sum = 0;
        for (int node = 0; node < draft.size(); node++) {
            sum += draft.probability(node);
        }
        return sum;
    }
}
