package io.tailrace.agent.engine;

import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftLearning;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftTerms;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.EarlyDrafts;
import io.tailrace.client.draft.FleetDrafts;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.client.verification.Verdict;
import io.tailrace.suffix.draft.AcceptedPath;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPrefix;
import java.util.Arrays;

/** A request of an engine, from its BEGIN to its END. */
final class EngineRequest implements AcceptedPath.Truth {
    /** A request without a draft under verification takes in what it has said once in so many steps. */
    static final int PAUSE_STEPS = 8;

    private static final int[] NOTHING = {};

    private final StepFrame.Begin begun;
    private final String scope;
    private final DecodeTally tally = new DecodeTally();
    private final Verdict verdict = new Verdict();
    private final DraftPrefix verified = new DraftPrefix();
    private int[] tokens;
    private int length;
    private EarlyDrafts drafts;
    private DraftTerms terms;
    private RequestBudget budget;
    private long versionFirst = -1;
    private long versionLast;
    private EndReason reason;
    private long completedAtMillis;
    /** The last step that it spoke in. */
    private long spokeIn;
    /** What the coming step may carry; 0: no draft is asked for. */
    private int asked;

    private final Turn turn = new Turn();

    /**
     * A request that has not drafted yet.
     *
     * @param scope whose answers it shares; empty: nobody's
     */
    EngineRequest(StepFrame.Begin begun, String scope) {
        this.begun = begun;
        this.scope = scope;
        this.tokens = begun.tokens();
        this.length = tokens.length;
    }

    String scope() {
        return scope;
    }

    int number() {
        return begun.request();
    }

    /** Where its tokens are, with room for so many more. */
    int[] room(int more) {
        if (length + more > tokens.length) {
            tokens = Arrays.copyOf(tokens, Math.max(length + more, tokens.length + tokens.length / 2 + 16));
        }
        return tokens;
    }

    int length() {
        return length;
    }

    /** False if it has spoken in this step before. */
    boolean speaksIn(long step) {
        boolean first = step != spokeIn;
        spokeIn = step;
        return first;
    }

    /** The engine has said more; it stands in the room. */
    void extend(int nodes, int count) {
        length += count;
        turn.said += count;
        turn.verifiedNodes = nodes;
    }

    void end(EndReason why, long atMillis) {
        reason = why;
        completedAtMillis = atMillis;
    }

    boolean hasEnded() {
        return reason != null;
    }

    void ask(int tokensMax) {
        asked = tokensMax;
    }

    boolean asks() {
        return asked > 0;
    }

    /** Takes its prompt in while the engine reads it, too. */
    void beginEarly(FleetDrafts source) {
        if (drafts == null) {
            begin(source);
            drafts.prepare();
        }
    }

    private void begin(FleetDrafts source) {
        drafts = source.begin(scope, Arrays.copyOf(tokens, begun.promptTokens()));
    }

    /** Takes part in steps from now on; what was said before counts as steps without drafts. */
    void open(FleetDrafts source, BudgetChoice budgets, DraftTerms laneTerms) {
        if (drafts == null) {
            begin(source);
        }
        int[] saidBefore = Arrays.copyOfRange(tokens, begun.promptTokens(), length);
        drafts.said(saidBefore, saidBefore.length);
        turn.clear();
        terms = laneTerms;
        budget = budgets.begin(laneTerms.costCurve());
        countWithoutDrafts(begun.promptTokens());
    }

    /** A step for each token from there on: one without a draft says one. */
    private void countWithoutDrafts(int from) {
        for (int at = from; at < length; at++) {
            verdict.walk(verified.of(null, 0), tokens, at);
            tally.add(verified, verdict, 0);
        }
    }

    RequestBudget budget() {
        return budget;
    }

    /** Whether its lane's policy lets it draft at all, as far as it is known. */
    boolean mayDraft() {
        return terms == null || terms.draftTokensMax() > 0;
    }

    /** Whether it goes on and its draft is under verification. */
    boolean awaitsVerdict() {
        return turn.wanted > 0 && !hasEnded();
    }

    /** Does what its next draft would have to do first. Requests that pause take turns, so that no step has the work of many. */
    void prepare(long step) {
        boolean turns = (step + number()) % PAUSE_STEPS == 0;
        if (awaitsVerdict() || (turns && !hasEnded() && mayDraft())) {
            drafts.prepare();
        }
    }

    /**
     * Takes part in the coming step, with a draft if one was asked for and is worth its while.
     *
     * @param batch requests of the coming step, as far as they have told of the last one
     */
    void plan(DraftPlan plan, int batch, int tokensMax) {
        int most = Math.min(Math.min(asked, tokensMax), terms.draftTokensMax());
        int wanted = most == 0 ? 0 : budget.draftTokens(batch, most);
        turn.begin(plan.add(drafts, wanted, wanted == 0 ? 0 : budget.probabilityMin()), wanted, length);
        asked = 0;
    }

    /** The step under way is one of its own, and it does not ask in it. */
    void pass() {
        budget.pass();
    }

    /** Whether it has said something in this step. */
    boolean spokeIn(long step) {
        return spokeIn == step;
    }

    /** In so many steps after the coming one it will not draft. */
    int pause() {
        return budget.pause();
    }

    void drafted(DraftedStep step) {
        turn.draft = step.draft(turn.place);
        turn.draftNanos = turn.wanted > 0 ? step.nanos(turn.place) : 0;
        versionLast = drafts.snapshotVersion();
        versionFirst = versionFirst < 0 ? versionLast : versionFirst;
    }

    Draft draft() {
        return turn.draft;
    }

    /** Tokens that were said since the draft, for the source. */
    int[] saidTokens() {
        return turn.said == 0 ? NOTHING : Arrays.copyOfRange(tokens, turn.length, turn.length + turn.said);
    }

    int said() {
        return turn.said;
    }

    /** So many nodes of its draft go to the engine. */
    void handed(int nodes) {
        turn.handedNodes = nodes;
    }

    /** What came of its asking for a draft. */
    DraftAnswer came() {
        if (turn.wanted == 0) {
            return DraftAnswer.SKIPPED;
        }
        if (turn.draft.size() == 0) {
            return DraftAnswer.NOTHING;
        }
        return turn.handedNodes == 0 ? DraftAnswer.UNPAID : DraftAnswer.DRAFTED;
    }

    /** Whether the engine has gone on from its draft and verified nothing of it: it came late, or there was no room. */
    boolean leftItsDraft() {
        return turn.said > 0 && turn.handedNodes > 0 && turn.verifiedNodes == 0;
    }

    /**
     * The step is over: counts it and tells the budget what came of it. A step in which it said nothing is none; where more was said than the draft and
     * the model's own token, the engine made steps that it did not tell of.
     *
     * @param over what the engine tells of the step
     */
    void endTurn(StepFrame over) {
        if (turn.said > 0) {
            int nodes = Math.min(turn.verifiedNodes, turn.handedNodes);
            verdict.walk(verified.of(turn.draft, nodes), this);
            verdict.cost(over.nanos() > 0 ? over.requests() : 0, over.rows(), over.nanos() / 1_000);
            tally.add(verified, verdict, turn.draftNanos);
            if (turn.wanted > 0) {
                budget.learn(turn.draft, nodes, verdict, turn.draftNanos);
            }
            countWithoutDrafts(turn.length + verdict.length());
        }
        turn.clear();
    }

    /** What was said since the draft: the truth that it is held against. */
    @Override
    public int after(int node, int depth) {
        return depth < turn.said ? tokens[turn.length + depth] : AcceptedPath.NONE;
    }

    /** What it came to; after it was closed. One that was begun and ended in one step had no drafts. */
    EngineSteps.Ended ended(TailraceClient client, String engine, String strategy) {
        if (budget == null) {
            countWithoutDrafts(begun.promptTokens());
        }
        int[] prompt = Arrays.copyOf(tokens, begun.promptTokens());
        int[] answer = Arrays.copyOfRange(tokens, begun.promptTokens(), length);
        ServedRequest served = new ServedRequest(
                begun.id(),
                client.lane(scope).lane().toLane(),
                engine,
                client.options().workerClass(),
                strategy,
                client.reportsPrompts() ? prompt : null,
                client.remembered(scope, prompt, answer),
                begun.promptTokens(),
                begun.temperature() < 0 ? null : begun.temperature(),
                new DecodeResult(answer, tally, Math.max(0, versionFirst), versionLast),
                null,
                begun.startedAtMillis(),
                completedAtMillis,
                reason.finish());
        return new EngineSteps.Ended(served, reason, !scope.isEmpty() && answer.length > 0);
    }

    /** Learns no more and drafts no more. */
    void close() {
        if (drafts != null) {
            DraftLearning learned = drafts.learned();
            tally.learned(learned.logLoss(), learned.predictions());
            drafts.close();
            drafts = null;
        }
    }
}
