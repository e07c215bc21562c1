package io.tailrace.lab.load;

import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.FixedBudget;
import io.tailrace.client.budget.MeasuredBudget;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.budget.StepCosts;
import io.tailrace.client.follow.LiveSnapshot;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.DraftPrefix;
import io.tailrace.suffix.draft.Drafter;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Decodes requests, one at a time: each step leases the lane's live snapshot, drafts as much as pays by the verifier's own step times,
 * verifies, and teaches the drafter what was right. The lease is held until the drafter has learned, since a drafter may look at the draft's sources once more then. Where
 * the policy is off the drafter hears of nothing.
 */
public final class RequestDecoder {
    private static final int BATCH = 1;
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

    /**
     * A decoder that verifies all that is drafted, whatever it costs.
     *
     * @param budgetMax most draft tokens a step, 0 to {@link DraftPolicy#BUDGET_MAX}; the lane's policy may say less
     * @param draftNanosListener told the time of each draft, in nanoseconds
     */
    public RequestDecoder(int budgetMax, LongConsumer draftNanosListener) {
        this(budgetMax, draftNanosListener, "", FixedBudget::new);
    }

    /**
     * A decoder that drafts as much as pays on its class of workers.
     *
     * @param workerClass whose cost curve foretells what steps take that the decoder has not measured
     */
    public RequestDecoder(int budgetMax, LongConsumer draftNanosListener, String workerClass) {
        this(budgetMax, draftNanosListener, workerClass, () -> new MeasuredBudget(new StepCosts()));
    }

    private RequestDecoder(
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

    /** Decodes one request to its end. The session is not closed. */
    public DecodeResult decode(
            int[] prompt, VerifierSession session, Drafter drafter, LiveSnapshot snapshots, Sources sources) {
        outputLength = 0;
        long versionFirst = -1;
        long versionLast = 0;
        BudgetChoice budgets = sources == Sources.SHARED ? sharedBudget : ownBudget;
        Decoding decoding = new Decoding(
                session,
                new RequestDrafter(drafter, prompt),
                sources,
                budgets,
                budgets.begin(snapshots.costCurve(workerClass)),
                new DecodeTally());
        do {
            LoadedSnapshot snapshot = snapshots.lease();
            try {
                step(decoding, snapshot);
                versionLast = snapshot.version();
            } finally {
                snapshot.release();
            }
            versionFirst = versionFirst < 0 ? versionLast : versionFirst;
        } while (!verdict.finished());
        decoding.drafts.learned(decoding.tally);
        return new DecodeResult(Arrays.copyOf(output, outputLength), decoding.tally, versionFirst, versionLast);
    }

    /** One request in hand. */
    private record Decoding(
            VerifierSession session,
            RequestDrafter drafts,
            Sources sources,
            BudgetChoice budgets,
            RequestBudget budget,
            DecodeTally tally) {}

    private void step(Decoding decoding, LoadedSnapshot snapshot) {
        int wanted = wanted(decoding.budget, snapshot.policy());
        LaneIndex index = decoding.sources == Sources.SHARED ? snapshot.index() : LaneIndex.EMPTY;
        long began = System.nanoTime();
        Draft draft = decoding.drafts.draft(index, wanted, decoding.budget.probabilityMin());
        long draftNanos = wanted == 0 ? 0 : System.nanoTime() - began;
        if (draft.size() > wanted) {
            throw new IllegalStateException("a draft of " + draft.size() + " tokens breaks its budget of " + wanted);
        }
        decoding.budgets.trim(List.of(draft), List.of(decoding.budget), nodes);
        decoding.session.verify(verified.of(draft, nodes[0]), verdict);
        decoding.tally.add(verified, verdict, draftNanos);
        learn(decoding, draft, wanted > 0);
        emit();
        decoding.drafts.verified(verdict.tokens(), verdict.length());
        if (wanted > 0) {
            draftNanosListener.accept(draftNanos);
        }
    }

    private int wanted(RequestBudget budget, DraftPolicy policy) {
        int most = policy.enabled() ? Math.min(budgetMax, policy.budgetMax()) : 0;
        return most == 0 ? 0 : budget.draftTokens(BATCH, most);
    }

    private void learn(Decoding decoding, Draft draft, boolean drafted) {
        if (verdict.batch() > 0 && verdict.micros() > 0) {
            decoding.budgets.measured(verdict.batch(), verdict.verifiedTokens(), 1_000 * verdict.micros());
        }
        if (drafted && verdict.length() > 0) {
            decoding.budget.learn(draft, nodes[0], verdict.accepted(), verdict.tokens()[0], DRAFT_NANOS);
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
