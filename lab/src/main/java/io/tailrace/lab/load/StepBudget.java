package io.tailrace.lab.load;

import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.cost.BudgetChooser;
import io.tailrace.suffix.cost.CostCurve;
import io.tailrace.suffix.cost.CostFit;
import io.tailrace.suffix.cost.DraftPrefix;
import io.tailrace.suffix.draft.Draft;

/**
 * Cuts the drafts of one decoder to what pays ({@link BudgetChooser}), by the job's cost curve for its worker class or, until there is
 * one, by the decoder's own step times. While it does not know what a step without a draft takes, every {@value #PLAIN_EVERY}th is one.
 */
final class StepBudget {
    private static final int PLAIN_EVERY = 4;
    private static final int PLAIN_MIN = 4;
    private static final int FIRST_FIT = PLAIN_EVERY * PLAIN_MIN;
    private static final int REFIT_EVERY = 64;

    private final BudgetChooser chooser = new BudgetChooser();
    private final DraftPrefix prefix = new DraftPrefix();
    private final CostFit fit = new CostFit();
    private CostCurve measured = CostCurve.UNKNOWN;
    private CostCurve curve = CostCurve.UNKNOWN;
    private int batch = 1;
    private int steps;
    private int plain;

    /** A step begins; {@code announced} is what the job knows. */
    void begin(CostCurve announced) {
        curve = announced.known() ? announced : measured;
        steps++;
    }

    /** Whether it is to be drafted at all. */
    boolean wantsDraft() {
        boolean wants = !needsPlain() && chooser.wantsDraft();
        if (!wants) {
            chooser.passed(curve, batch);
        }
        return wants;
    }

    private boolean needsPlain() {
        return plain < PLAIN_MIN && steps % PLAIN_EVERY == 0 && !curve.known();
    }

    /** What to verify of the draft. */
    Draft cut(Draft draft) {
        return draft.size() == 0 ? draft : prefix.of(draft, chooser.choose(draft, curve, batch));
    }

    /** What the step gave and took. */
    void verified(Verdict verdict) {
        if (verdict.length() > 0) {
            chooser.verified(verdict.accepted(), verdict.tokens()[0]);
        }
        if (verdict.batch() > 0 && verdict.micros() > 0) {
            batch = verdict.batch();
            plain += verdict.verifiedTokens() == verdict.batch() ? 1 : 0;
            fit.add(batch, verdict.verifiedTokens(), 1, (double) verdict.micros());
            if (steps % REFIT_EVERY == 0 || steps == FIRST_FIT) {
                measured = plain < PLAIN_MIN ? CostCurve.UNKNOWN : CostCurve.of(fit.points());
            }
        }
    }
}
