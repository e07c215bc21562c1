package io.tailrace.lab.load;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.draft.internal.PolicyTerms;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftPrefix;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Decodes requests, one at a time: each step drafts as much as pays by the verifier's own step times, verifies, and tells the drafts what was
 * right.
 */
public final class RequestDecoder {
    /** Where drafts may come from. */
    public enum Sources {
        /** The request's own context and everything the lane shares. */
        SHARED,
        /** The request's own context only: what one would have without Tailrace. */
        OWN_CONTEXT
    }

    /** One request's place in its answer. One thread. */
    @FunctionalInterface
    public interface Verifier {
        /**
         * Verifies one draft tree, which may be empty, and moves on past the accepted path and the bonus token.
         *
         * @param draft valid during the call
         * @param into overwritten
         * @throws IllegalStateException if the last verdict said that the request is finished
         */
        void verify(Draft draft, Verdict into);
    }

    private static final int BATCH = 1;
    /** A decoder's source drafts for one lane. */
    private static final String SCOPE = "";

    /** What the budget is charged for a draft: nothing, since a clock that is not simulated must not change what is drafted. */
    private static final long DRAFT_NANOS = 0;

    private final int budgetMax;
    private final String workerClass;
    private final BudgetChoice sharedBudget;
    private final BudgetChoice ownBudget;
    private final LongConsumer draftNanosListener;
    private final Verdict verdict = new Verdict();
    private final DraftPrefix verified = new DraftPrefix();
    private final int[] nodes = new int[1];
    private int[] output = new int[1024];
    private int outputLength;

    private final StepOutcomes outcomes = new StepOutcomes() {
        @Override
        public int[] tokens(int place) {
            return verdict.tokens();
        }

        @Override
        public int count(int place) {
            return verdict.length();
        }
    };

    /**
     * A decoder that verifies all that is drafted, whatever it costs.
     *
     * @param budgetMax most draft tokens a step, 0 to {@link DraftPolicy#BUDGET_MAX}; the lane's policy may say less
     * @param draftNanosListener told the time of each draft, in nanoseconds
     */
    public RequestDecoder(int budgetMax, LongConsumer draftNanosListener) {
        this(budgetMax, draftNanosListener, "", BudgetChoice::fixed);
    }

    /**
     * A decoder that drafts as much as pays on its class of workers.
     *
     * @param workerClass whose cost curve foretells what steps take that the decoder has not measured
     */
    public RequestDecoder(int budgetMax, LongConsumer draftNanosListener, String workerClass) {
        this(budgetMax, draftNanosListener, workerClass, () -> BudgetChoice.measured());
    }

    /**
     * A decoder that drafts as much as a budget says.
     *
     * @param newBudget makes one for requests that share, and one for those that draft from their own context only
     */
    public RequestDecoder(
            int budgetMax, LongConsumer draftNanosListener, String workerClass, Supplier<BudgetChoice> newBudget) {
        if (budgetMax < 0 || budgetMax > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException(
                    "budgetMax must be 0 to %d, got %d".formatted(DraftPolicy.BUDGET_MAX, budgetMax));
        }
        this.budgetMax = budgetMax;
        this.draftNanosListener = draftNanosListener;
        this.workerClass = workerClass;
        this.sharedBudget = newBudget.get();
        this.ownBudget = newBudget.get();
    }

    /**
     * Decodes one request to its end.
     *
     * @param drafts used by this decoder only
     * @param snapshots of the request's lane: what its policy says, and where steps without a draft stand
     */
    public DecodeResult decode(
            int[] prompt, Verifier verifier, DraftSource drafts, LiveSnapshot snapshots, Sources sources) {
        outputLength = 0;
        DraftTerms terms = new PolicyTerms(snapshots, workerClass);
        BudgetChoice budgets = sources == Sources.SHARED ? sharedBudget : ownBudget;
        try (RequestDrafts request = drafts.begin(SCOPE, prompt)) {
            Decoding decoding = new Decoding(
                    verifier,
                    new DraftPlan(drafts),
                    request,
                    terms,
                    budgets,
                    budgets.begin(terms.costCurve()),
                    new DecodeTally());
            return decode(decoding, snapshots);
        }
    }

    /** One request in hand. */
    private record Decoding(
            Verifier verifier,
            DraftPlan plan,
            RequestDrafts drafts,
            DraftTerms terms,
            BudgetChoice budgets,
            RequestBudget budget,
            DecodeTally tally) {}

    private DecodeResult decode(Decoding decoding, LiveSnapshot snapshots) {
        long versionFirst = -1;
        long versionLast;
        do {
            long live = snapshots.version();
            versionLast = step(decoding) ? decoding.drafts.snapshotVersion() : live;
            versionFirst = versionFirst < 0 ? versionLast : versionFirst;
        } while (!verdict.finished());
        DraftLearning learned = decoding.drafts.learned();
        decoding.tally.learned(learned.logLoss(), learned.predictions());
        return new DecodeResult(Arrays.copyOf(output, outputLength), decoding.tally, versionFirst, versionLast);
    }

    /** Returns whether a draft was wanted. */
    private boolean step(Decoding decoding) {
        int wanted = wanted(decoding.budget, decoding.terms);
        decoding.plan.add(decoding.drafts, wanted, decoding.budget.probabilityMin());
        DraftedStep step = decoding.plan.draft();
        Draft draft = step.draft(0);
        decoding.budgets.trim(List.of(draft), List.of(decoding.budget), Integer.MAX_VALUE, nodes);
        Draft cut = verified.of(draft, nodes[0]);
        decoding.verifier.verify(cut, verdict);
        decoding.tally.add(cut, verdict, step.nanos(0));
        learn(decoding, draft, wanted > 0);
        emit();
        if (wanted > 0) {
            draftNanosListener.accept(step.nanos(0));
        }
        step.verified(outcomes);
        return wanted > 0;
    }

    private int wanted(RequestBudget budget, DraftTerms terms) {
        int most = Math.min(budgetMax, terms.draftTokensMax());
        return most == 0 ? 0 : budget.draftTokens(BATCH, most);
    }

    private void learn(Decoding decoding, Draft draft, boolean drafted) {
        if (verdict.batch() > 0 && verdict.micros() > 0) {
            decoding.budgets.measured(verdict.batch(), verdict.verifiedTokens(), 1_000 * verdict.micros());
        }
        if (drafted && verdict.length() > 0) {
            decoding.budget.learn(draft, nodes[0], verdict, DRAFT_NANOS);
        }
    }

    private void emit() {
        int length = verdict.length();
        if (length == 0 && !verdict.finished()) {
            throw new IllegalStateException("a verifier must emit a token or finish the request");
        }
        if (outputLength + length > output.length) {
            output = Arrays.copyOf(output, Math.max(output.length * 2, outputLength + length));
        }
        System.arraycopy(verdict.tokens(), 0, output, outputLength, length);
        outputLength += length;
    }
}
