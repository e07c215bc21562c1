package io.tailrace.lab.load;

import io.tailrace.client.follow.LiveSnapshot;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Decodes requests, one at a time: each step leases the lane's live snapshot, drafts, verifies, and teaches the drafter what
 * was right. The lease is held until the drafter has learned, since a drafter may look at the draft's sources once more then. Where
 * the policy is off the drafter hears of nothing.
 */
public final class RequestDecoder {
    private final int budgetMax;
    private final String workerClass;
    private final StepBudget sharedBudget = new StepBudget();
    private final StepBudget ownBudget = new StepBudget();
    private final LongConsumer draftNanosListener;
    private final Verdict verdict = new Verdict();
    private int[] output = new int[1024];
    private int outputLength;

    /**
     * A decoder.
     *
     * @param budgetMax most draft tokens a step, 0 to {@link DraftPolicy#BUDGET_MAX}; the lane's policy may say less
     * @param draftNanosListener told the time of each draft, in nanoseconds
     */
    public RequestDecoder(int budgetMax, LongConsumer draftNanosListener) {
        this(budgetMax, draftNanosListener, "");
    }

    /**
     * A decoder that drafts as much as pays on its class of workers.
     *
     * @param workerClass whose cost curve sets the budget; the decoder's own measurements do until the job knows one
     */
    public RequestDecoder(int budgetMax, LongConsumer draftNanosListener, String workerClass) {
        this.workerClass = workerClass;
        if (budgetMax < 0 || budgetMax > DraftPolicy.BUDGET_MAX) {
            throw new IllegalArgumentException(
                    "budgetMax must be 0 to %d, got %d".formatted(DraftPolicy.BUDGET_MAX, budgetMax));
        }
        this.budgetMax = budgetMax;
        this.draftNanosListener = draftNanosListener;
    }

    /** Decodes one request to its end. The session is not closed. */
    public DecodeResult decode(
            int[] prompt, VerifierSession session, Drafter drafter, LiveSnapshot snapshots, Sources sources) {
        DecodeTally tally = new DecodeTally();
        outputLength = 0;
        long versionFirst = -1;
        long versionLast = 0;
        RequestDrafter drafts = new RequestDrafter(drafter, prompt);
        do {
            LoadedSnapshot snapshot = snapshots.lease();
            try {
                step(session, drafts, snapshot, sources, tally);
                versionLast = snapshot.version();
            } finally {
                snapshot.release();
            }
            versionFirst = versionFirst < 0 ? versionLast : versionFirst;
        } while (!verdict.finished());
        drafts.learned(tally);
        return new DecodeResult(Arrays.copyOf(output, outputLength), tally, versionFirst, versionLast);
    }

    private void step(
            VerifierSession session,
            RequestDrafter drafts,
            LoadedSnapshot snapshot,
            Sources sources,
            DecodeTally tally) {
        StepBudget chooser = sources == Sources.SHARED ? sharedBudget : ownBudget;
        chooser.begin(snapshot.costCurve(workerClass));
        int most = budget(snapshot.policy());
        int budget = most > 0 && chooser.wantsDraft() ? most : 0;
        LaneIndex index = sources == Sources.SHARED ? snapshot.index() : LaneIndex.EMPTY;
        long began = System.nanoTime();
        Draft draft = drafts.draft(index, budget);
        long draftNanos = budget == 0 ? 0 : System.nanoTime() - began;
        if (draft.size() > budget) {
            throw new IllegalStateException("a draft of " + draft.size() + " tokens breaks its budget of " + budget);
        }
        Draft cut = chooser.cut(draft);
        session.verify(cut, verdict);
        tally.add(cut, verdict, draftNanos);
        chooser.verified(verdict);
        emit();
        drafts.verified(verdict.tokens(), verdict.length());
        if (budget > 0) {
            draftNanosListener.accept(draftNanos);
        }
    }

    private int budget(DraftPolicy policy) {
        return policy.enabled() ? Math.min(budgetMax, policy.budgetMax()) : 0;
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
