package io.tailrace.worker.engine;

import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import io.tailrace.worker.sampling.AcceptanceWalk;
import java.util.Arrays;
import java.util.Optional;

/**
 * One request between its first step and its last. Known tokens that the model has not committed yet (a piece of the prompt, or
 * the last token) make the line of a step; where the line reaches the context's end, a draft hangs behind it.
 */
final class RunningRequest {
    private final QueuedRequest queued;
    private final ModelSequence sequence;
    private final Drafting drafting;
    private final DraftTerms terms;
    private final RequestBudget budget;
    private final AnswerEnd end;
    private final long startedNanos = System.nanoTime();
    private final DecodeTally tally = new DecodeTally();
    private final Verdict verdict = new Verdict();
    private final VerifiedDraft verified = new VerifiedDraft();
    private int[] context;
    private int length;
    /** Tokens of the context that the drafter knows. */
    private int told;

    private int[] path = new int[16];
    private long firstTokenNanos;
    private long versionFirst = -1;
    private long versionLast;
    /** Of the step in hand. */
    private int line;

    /** Most draft tokens that request and policy allow. */
    private int allowed;

    private int wanted;
    /** Nodes behind the line in the pass: those of the draft, or of its forecast. */
    private int brought;

    private boolean drafted;
    private Draft draft;
    private long draftNanos;

    RunningRequest(
            QueuedRequest queued,
            ModelSequence sequence,
            Drafting drafting,
            DraftTerms terms,
            RequestBudget budget,
            AnswerEnd end) {
        this.queued = queued;
        this.sequence = sequence;
        this.drafting = drafting;
        this.terms = terms;
        this.budget = budget;
        this.end = end;
        this.context = queued.request().prompt().clone();
        this.length = context.length;
        this.told = length;
    }

    QueuedRequest queued() {
        return queued;
    }

    Drafting drafting() {
        return drafting;
    }

    RequestBudget budget() {
        return budget;
    }

    /** Takes part in the coming step with at most so many prompt tokens; returns how many tokens of its context it brings. */
    int plan(int prefillTokens) {
        int pending = length - sequence.length();
        line = pending == 1 ? 1 : Math.min(pending, prefillTokens);
        drafted = false;
        draft = null;
        draftNanos = 0;
        return line;
    }

    /** Whether the step's line reaches the context's end, so that a token comes of it. */
    boolean verifies() {
        return line > 0 && sequence.length() + line == length;
    }

    int line() {
        return line;
    }

    /**
     * Decides how much to draft behind the line; the whole context is in the pass, so the draft has what room it leaves. Where the lane
     * does not draft nobody is asked, and the budget hears of nothing.
     */
    void planDraft(int batch, int budgetMax, int sequenceTokensMax) {
        allowed = queued.request().drafted() ? Math.min(budgetMax, terms.draftTokensMax()) : 0;
        int most = end.left() <= 1 ? 0 : Math.max(0, Math.min(allowed, sequenceTokensMax - length));
        wanted = most == 0 ? 0 : budget.draftTokens(batch, most);
        drafting.plan(wanted);
    }

    /** Whether the request is one that drafts, if not in this step. */
    boolean drafts() {
        return allowed > 0;
    }

    /** Whether a draft was asked for in this step, if nothing came or nothing of it is verified. */
    boolean drafted() {
        return drafted;
    }

    /** Drafts; the batch's common part of it took so long for this request. */
    Draft draft(long sharedNanos) {
        drafted = wanted > 0;
        if (!drafted && drafting.patient()) {
            draft = NoDrafts.EMPTY;
            return draft;
        }
        long began = System.nanoTime();
        tell();
        draft = drafting.draft(wanted, budget.probabilityMin());
        draftNanos = drafted ? sharedNanos + System.nanoTime() - began : 0;
        if (draft.size() > wanted) {
            throw new IllegalStateException("a draft of " + draft.size() + " tokens breaks its budget of " + wanted);
        }
        return draft;
    }

    /** What the request brings to the pass, at a place of it: the line, and so many nodes of its draft. */
    TreeInput input(int place, int nodes) {
        int[] tokens = new int[line + nodes];
        int[] parents = new int[line + nodes];
        System.arraycopy(context, sequence.length(), tokens, 0, line);
        for (int i = 0; i < line; i++) {
            parents[i] = i - 1;
        }
        for (int node = 0; node < nodes; node++) {
            tokens[line + node] = draft.token(node);
            parents[line + node] = line + draft.parent(node);
        }
        brought = nodes;
        if (verifies()) {
            verified.of(draft, nodes);
            drafting.seat(place, line, nodes);
        }
        return new TreeInput(sequence, tokens, parents, verifies() ? line - 1 : tokens.length);
    }

    /** Shows the drafter the logits of what was verified. */
    void offer(Logits logits, int input) {
        if (verifies()) {
            drafting.offer(logits, input, line - 1, brought, queued.request().sampling());
        }
    }

    /** Goes down the verified tree and commits; the request's tokens of this step are in the verdict. */
    void accept(Logits logits, int input, RowChoice rows) {
        if (!verifies()) {
            sequence.commitAll();
            return;
        }
        drafting.revealed().ifPresent(this::reveal);
        int position = length - queued.request().prompt().length;
        Optional<int[]> chosen = drafting.chosen();
        AcceptanceWalk.Choice choice = chosen.isPresent()
                ? (node, ahead) -> chosen.get()[ahead]
                : (node, ahead) ->
                        rows.choose(logits, input, line + node, queued.request().sampling(), position + ahead);
        AcceptanceWalk.walk(verified, choice, end::ends, verdict);
        if (!verdict.finished()) {
            commit();
        }
        append();
    }

    /**
     * Counts the step and teaches the drafter. The step's time counts only if it is comparable: not with prompts in it.
     *
     * @param tokens verified by the step, of all its requests
     */
    void learn(int batch, int tokens, boolean comparable, long stepNanos) {
        verdict.cost(comparable ? batch : 0, tokens, stepNanos / 1_000);
        tally.add(verified, verdict, draftNanos);
        if (drafted) {
            learnProbabilities();
        }
        if (drafted || !drafting.patient()) {
            tell();
        }
        versionLast = drafting.snapshotVersion();
        versionFirst = versionFirst < 0 ? versionLast : versionFirst;
        queued.sink().tokens(verdict.tokens(), verdict.length(), end.shown());
    }

    long draftNanos() {
        return draftNanos;
    }

    FinishReason reason() {
        return end.reason();
    }

    Answer answer(FinishReason reason) {
        long now = System.nanoTime();
        int[] output = Arrays.copyOfRange(context, queued.request().prompt().length, length);
        return new Answer(
                queued.request(),
                reason,
                new DecodeResult(output, tally, Math.max(0, versionFirst), versionLast),
                queued.queuedAtMillis(),
                System.currentTimeMillis(),
                startedNanos - queued.queuedNanos(),
                firstTokenNanos,
                now - queued.queuedNanos());
    }

    void close() {
        drafting.learned(tally);
        drafting.close();
        sequence.close();
    }

    /** Where nothing is verified the next token comes all the same, and says whether the draft, if it is known, was right about it. */
    private void learnProbabilities() {
        if (brought > 0) {
            budget.verified(verified.expected(), brought, verdict.accepted(), draftNanos);
            return;
        }
        Draft known = drafting.revealed().isPresent() ? NoDrafts.EMPTY : draft;
        int right = VerifiedDraft.holdsNext(known, verdict.tokens()[0]) ? 1 : 0;
        budget.verified(VerifiedDraft.expectedNext(known), 0, right, draftNanos);
    }

    /** Tells the drafter what it has not heard of yet. */
    private void tell() {
        if (told < length) {
            drafting.verified(Arrays.copyOfRange(context, told, length), length - told);
            told = length;
        }
    }

    /** What stood in the pass as a forecast is known now; nodes past the draft's end were padding on the line's last token. */
    private void reveal(Draft known) {
        int[] parents = new int[line + brought];
        for (int node = 0; node < parents.length; node++) {
            int drafted = node - line;
            boolean isLine = drafted < 0;
            boolean isPadding = drafted >= known.size();
            parents[node] = isLine ? node - 1 : isPadding ? line - 1 : line + known.parent(drafted);
        }
        sequence.revise(parents);
        verified.of(known, known.size());
    }

    private void commit() {
        int count = line + verdict.accepted();
        if (path.length < count) {
            path = new int[Math.max(count, 2 * path.length)];
        }
        for (int i = 0; i < line; i++) {
            path[i] = i;
        }
        for (int depth = 0; depth < verdict.accepted(); depth++) {
            path[line + depth] = line + verdict.acceptedNode(depth);
        }
        sequence.commit(path, count);
    }

    private void append() {
        if (firstTokenNanos == 0) {
            firstTokenNanos = System.nanoTime() - queued.queuedNanos();
        }
        if (length + verdict.length() > context.length) {
            context = Arrays.copyOf(context, Math.max(length + verdict.length(), 2 * context.length));
        }
        System.arraycopy(verdict.tokens(), 0, context, length, verdict.length());
        length += verdict.length();
    }
}
