package io.tailrace.worker.engine;

import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.RequestDrafts;
import io.tailrace.client.draft.internal.NoDrafts;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPrefix;
import io.tailrace.worker.device.PassDrafts;
import io.tailrace.worker.device.TokenChoice;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One request between its first step and its last. Known tokens that the model has not committed yet (a piece of the prompt, or
 * the last token) make the line of a step; where the line reaches the context's end, a draft hangs behind it.
 */
final class RunningRequest {
    private final QueuedRequest queued;
    private final ModelSequence sequence;
    private final RequestDrafts drafts;
    private final DraftTerms terms;
    private final RequestBudget budget;
    private final AnswerEnd end;
    private final long startedNanos = System.nanoTime();
    private final DecodeTally tally = new DecodeTally();
    private final Verdict verdict = new Verdict();
    private final DraftPrefix prefix = new DraftPrefix();
    private int[] context;
    private int length;
    private int[] path = new int[16];
    /** Of the step in hand; empty where nobody asks for them. */
    private List<TokenLogprob> logprobs = List.of();

    private long firstTokenNanos;
    private long versionFirst = -1;
    private long versionLast;
    /** Of the step in hand. */
    private int line;

    private int place;

    /** Most draft tokens that request and policy allow. */
    private int allowed;

    private int wanted;
    /** Nodes behind the line in the pass: those of the draft, or of its forecast. */
    private int brought;

    private boolean drafted;
    /** Whether the draft was a forecast. */
    private boolean revealed;

    private Draft draft;
    /** What of the draft is verified. */
    private Draft verified;

    private long draftNanos;

    RunningRequest(
            QueuedRequest queued,
            ModelSequence sequence,
            RequestDrafts drafts,
            DraftTerms terms,
            RequestBudget budget,
            AnswerEnd end) {
        this.queued = queued;
        this.sequence = sequence;
        this.drafts = drafts;
        this.terms = terms;
        this.budget = budget;
        this.end = end;
        this.context = queued.request().prompt().clone();
        this.length = context.length;
    }

    QueuedRequest queued() {
        return queued;
    }

    /** Its place in the step, if it verifies. */
    int place() {
        return place;
    }

    /** What verification said. */
    Verdict verdict() {
        return verdict;
    }

    RequestBudget budget() {
        return budget;
    }

    /** Takes part in the coming step with at most so many prompt tokens; returns how many tokens of its context it brings. */
    int plan(int prefillTokens) {
        int pending = length - sequence.length();
        line = pending == 1 ? 1 : Math.min(pending, prefillTokens);
        drafted = false;
        revealed = false;
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
     * does not draft the request takes part without a draft, and the budget hears of nothing.
     */
    void planDraft(DraftPlan plan, int batch, int budgetMax, int sequenceTokensMax) {
        allowed = queued.request().drafted() ? Math.min(budgetMax, terms.draftTokensMax()) : 0;
        int most = end.left() <= 1 ? 0 : Math.max(0, Math.min(allowed, sequenceTokensMax - length));
        wanted = most == 0 ? 0 : budget.draftTokens(batch, most);
        place = plan.add(drafts, wanted, wanted == 0 ? 0 : budget.probabilityMin());
    }

    /** Whether the request is one that drafts, if not in this step. */
    boolean drafts() {
        return allowed > 0;
    }

    /** Whether others may draft from it. */
    boolean remembered() {
        return queued.request().remembered();
    }

    /** Whether a draft was asked for in this step, if nothing came or nothing of it is verified. */
    boolean drafted() {
        return drafted;
    }

    /** The step's drafts are there. */
    void drafted(DraftedStep step) {
        drafted = wanted > 0;
        draft = step.draft(place);
        draftNanos = drafted ? step.nanos(place) : 0;
    }

    /** What the request brings to the pass, as its input of that number: the line, and so many nodes of its draft. */
    TreeInput input(int number, int nodes, PassDrafts pass) {
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
            verified = prefix.of(draft, nodes);
            pass.seat(place, number, line, nodes);
        }
        return new TreeInput(sequence, tokens, parents, verifies() ? line - 1 : tokens.length);
    }

    /** Shows the logits of what was verified to who may choose of them. */
    void offer(Logits logits, int input, TokenChoice choice) {
        if (verifies()) {
            choice.offer(
                    place, logits, input, line - 1, brought, queued.request().sampling());
        }
    }

    /** Goes down the verified tree and commits; the request's tokens of this step are in the verdict. */
    void accept(Logits logits, int input, StepBatch.RowChoice rows, EngineDrafts by) {
        if (!verifies()) {
            sequence.commitAll();
            return;
        }
        by.pass().revealed(place).ifPresent(this::reveal);
        int position = length - queued.request().prompt().length;
        Optional<int[]> chosen = by.choice().chosen(place);
        logprobs = queued.request().logprobs() ? new ArrayList<>() : List.of();
        verdict.walk(verified, (node, depth) -> {
            if (end.reason() != null) {
                return AcceptedPath.NONE;
            }
            int token = chosen.isPresent()
                    ? chosen.get()[depth]
                    : rows.choose(logits, input, line + node, queued.request().sampling(), position + depth);
            end.take(token);
            if (queued.request().logprobs()) {
                logprobs.add(rows.logprob(
                        logits, input, line + node, token, queued.request().topLogprobs()));
            }
            return token;
        });
        if (end.reason() == null) {
            commit();
        } else {
            verdict.finish();
        }
        append();
    }

    /**
     * Counts the step, tells the budget what came of it, and hands the tokens on. The step's time counts only if it is comparable: not with prompts in it.
     *
     * @param tokens verified by the step, of all its requests
     */
    void learn(int batch, int tokens, boolean comparable, long stepNanos) {
        verdict.cost(comparable ? batch : 0, tokens, stepNanos / 1_000);
        tally.add(verified, verdict, draftNanos);
        if (drafted) {
            Draft known = brought > 0 ? verified : revealed ? NoDrafts.EMPTY : draft;
            budget.learn(known, brought, verdict, draftNanos);
        }
        queued.sink().tokens(verdict.tokens(), verdict.length(), end.shown(), logprobs);
    }

    /** The step is over. */
    void noteVersion() {
        versionLast = drafts.snapshotVersion();
        versionFirst = versionFirst < 0 ? versionLast : versionFirst;
    }

    long draftNanos() {
        return draftNanos;
    }

    Answer.FinishReason reason() {
        return end.reason();
    }

    Answer answer(Answer.FinishReason reason) {
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
        DraftLearning learned = drafts.learned();
        tally.learned(learned.logLoss(), learned.predictions());
        drafts.close();
        sequence.close();
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
        verified = known;
        revealed = true;
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
