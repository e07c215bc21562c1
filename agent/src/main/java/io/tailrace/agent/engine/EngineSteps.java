package io.tailrace.agent.engine;

import io.tailrace.agent.protocol.DraftsWriter;
import io.tailrace.agent.protocol.EndReason;
import io.tailrace.agent.protocol.FrameFormat;
import io.tailrace.agent.protocol.FrameWriter;
import io.tailrace.agent.protocol.Hello;
import io.tailrace.agent.protocol.RefusedEngineException;
import io.tailrace.agent.protocol.StepFrame;
import io.tailrace.client.TailraceClient;
import io.tailrace.client.budget.BudgetChoice;
import io.tailrace.client.budget.RequestBudget;
import io.tailrace.client.draft.DraftPlan;
import io.tailrace.client.draft.DraftedStep;
import io.tailrace.client.draft.FleetDrafts;
import io.tailrace.client.draft.StepOutcomes;
import io.tailrace.client.report.ServedRequest;
import io.tailrace.suffix.draft.Draft;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an engine's steps ask of the agent, one after the other.
 *
 * <p><b>A step.</b> Its operations say what requests have said since the last one, and contexts go on by that. What was said is held against the drafts
 * of the last step: the budget learns what they gave, and by the step's time what they cost. New requests are opened, and
 * the coming step is drafted for all that ask: as much as pays in this engine, for the whole batch at once. The rest waits until the reply was
 * sent, and so takes no time of the engine's: {@link #afterReply}. The source learns from what was said. Requests that ended are closed and
 * told on. What the next drafts need beforehand is prepared, for requests that pause in every {@value EngineRequest#PAUSE_STEPS}th step: when they
 * draft again the engine does not wait until all that they have said is taken in.
 *
 * <p><b>An early BEGIN</b> is a step that only begins requests. The step under way goes on. The new ones' prompts are taken in after the reply, while
 * the engine reads them, too; they are opened with the next step. So does the step under way go on where nobody speaks or asks but those that end: a
 * door tells what has ended while the model computes.
 *
 * <p>One thread. A step that is refused ends the connection: {@link #close}.
 */
public final class EngineSteps implements StepFrame.Operations, AutoCloseable {
    private final TailraceClient client;
    private final Hello engine;
    private final String scopeElse;
    private final BudgetChoice budgets;
    private final Listener listener;
    private final FleetDrafts source;
    private final DraftPlan plan;
    private final Map<Integer, EngineRequest> requests = new HashMap<>();
    private final List<EngineRequest> opening = new ArrayList<>();
    private final List<EngineRequest> asking = new ArrayList<>();
    /** The requests that have spoken in the step in hand. */
    private final List<EngineRequest> speaking = new ArrayList<>();

    private final List<EngineRequest> ended = new ArrayList<>();
    /** The requests of the step that was drafted last, by place; those that asked come first. */
    private final List<EngineRequest> planned = new ArrayList<>();

    private final Outcomes outcomes = new Outcomes();
    private final List<Draft> drafts = new ArrayList<>();
    private final List<RequestBudget> shares = new ArrayList<>();
    private DraftedStep drafted;
    /** Whether the budget has planned the step under way. */
    private boolean trimmed;

    private int[] nodes = new int[16];
    private StepFrame step;
    private long sequence;

    /**
     * Steps of an engine that has just said hello.
     *
     * @param scopeElse of requests whose engine names none; empty: they draft from their own context only
     * @param budgets what is known of this engine's step times
     * @param listener told of drafts and of requests that have ended
     */
    public EngineSteps(TailraceClient client, Hello engine, String scopeElse, BudgetChoice budgets, Listener listener) {
        this(client, engine, scopeElse, budgets, listener, client.drafts(engine.requestsMax(), engine.trees()));
    }

    /** @param source of drafts, closed with it */
    EngineSteps(
            TailraceClient client,
            Hello engine,
            String scopeElse,
            BudgetChoice budgets,
            Listener listener,
            FleetDrafts source) {
        this.client = client;
        this.engine = engine;
        this.scopeElse = scopeElse;
        this.budgets = budgets;
        this.listener = listener;
        this.source = source;
        this.plan = new DraftPlan(source);
    }

    /**
     * Takes a step in and answers it.
     *
     * @param reports what ended in steps up to this one is safe
     * @param reply filled with DRAFTS
     * @throws RefusedEngineException if it breaks a rule of the protocol; then nothing more can be done but to close
     */
    public void step(StepFrame told, long reports, FrameWriter reply) throws RefusedEngineException {
        step = told;
        if (step.sequence() != sequence + 1) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.BROKEN_FRAME,
                    "STEP must have sequence %d, got %d; one STEP is under way at a time"
                            .formatted(sequence + 1, step.sequence()));
        }
        sequence = step.sequence();
        long began = System.nanoTime();
        step.handTo(this, engine.vocabularySize());
        speaking.removeIf(EngineRequest::hasEnded);
        boolean endsStep = endsStep();
        measured();
        if (endsStep) {
            trimmed = false;
            endTurns();
            openBegun();
            draft(step.draftTokensMax());
        } else {
            endTurnsOfEnded();
        }
        speaking.clear();
        answer(reports, reply);
        if (!asking.isEmpty()) {
            listener.drafted(System.nanoTime() - began);
            asking.forEach(request -> listener.came(request.came()));
        }
        asking.clear();
    }

    /** The source learns, requests that ended in the step are remembered and reported, and drafts of the others are prepared. */
    public void afterReply() {
        plan.learn();
        ended.forEach(EngineRequest::close);
        for (EngineRequest request : ended) {
            listener.ended(engine, request.ended(client, engine.engine(), source.strategy()), sequence);
        }
        ended.clear();
        opening.forEach(request -> request.beginEarly(source));
        planned.forEach(request -> request.prepare(sequence));
    }

    /** Requests that run. */
    public int running() {
        return requests.size();
    }

    @Override
    public void begin(StepFrame.Begin begun) throws RefusedEngineException {
        if (requests.size() == engine.requestsMax()) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.BROKEN_FRAME,
                    "the engine said that it has at most %d requests at once, and begins one more"
                            .formatted(engine.requestsMax()));
        }
        EngineRequest request = new EngineRequest(begun, scope(begun));
        if (requests.putIfAbsent(begun.request(), request) != null) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.BROKEN_FRAME,
                    "request %d is begun twice".formatted(begun.request()));
        }
        opening.add(request);
    }

    private String scope(StepFrame.Begin begun) {
        String scope = begun.scope().isEmpty() ? scopeElse : begun.scope();
        return begun.secret() || !isScope(scope) ? "" : scope;
    }

    /** What is none came with a request, and is no fault of the engine: the request shares nothing. */
    private boolean isScope(String scope) {
        try {
            return !client.options().model().lane(scope).scope().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public int[] room(int request, int more) throws RefusedEngineException {
        return running(request).room(more);
    }

    @Override
    public int length(int request) throws RefusedEngineException {
        return running(request).length();
    }

    @Override
    public void extend(int request, int verified, int count) throws RefusedEngineException {
        EngineRequest speaks = inTurn(request, "EXTEND");
        if (!speaks.speaksIn(sequence)) {
            throw RefusedEngineException.broken(
                    "request %d has two EXTENDs in one STEP; what it has said comes in one".formatted(request));
        }
        speaks.extend(verified, count);
        speaking.add(speaks);
    }

    @Override
    public void end(int request, EndReason reason, long atMillis) throws RefusedEngineException {
        EngineRequest ending = inTurn(request, "END");
        ending.end(reason, atMillis);
        ended.add(ending);
        requests.remove(request);
    }

    @Override
    public void draft(int request, int tokensMax) throws RefusedEngineException {
        EngineRequest asks = inTurn(request, "DRAFT");
        asks.ask(Math.min(tokensMax, engine.draftTokensMax()));
        asking.add(asks);
    }

    /** A running request of which more may be told in this step: DRAFT is the last. */
    private EngineRequest inTurn(int request, String operation) throws RefusedEngineException {
        EngineRequest found = running(request);
        if (found.asks()) {
            throw RefusedEngineException.broken(
                    "request %d has %s after DRAFT in one STEP; the order is BEGIN, EXTEND, END or DRAFT, each once"
                            .formatted(request, operation));
        }
        return found;
    }

    private EngineRequest running(int request) throws RefusedEngineException {
        EngineRequest found = requests.get(request);
        if (found == null) {
            throw new RefusedEngineException(
                    RefusedEngineException.Refusal.BROKEN_FRAME,
                    "request %d is not running: it was not begun, or has ended".formatted(request));
        }
        return found;
    }

    /** Whether a step of the model has ended: somebody goes on from it, or some have ended and nobody else has a draft under verification. */
    private boolean endsStep() {
        return !asking.isEmpty()
                || !speaking.isEmpty()
                || (!ended.isEmpty() && planned.stream().noneMatch(EngineRequest::awaitsVerdict));
    }

    /** What the step that is over took, before it is said what came of its drafts. */
    private void measured() {
        if (step.nanos() > 0 && step.requests() > 0 && step.rows() >= step.requests()) {
            if (trimmed) {
                budgets.measured(step.requests(), step.rows(), step.nanos());
            } else {
                budgets.measuredUnasked(step.requests(), step.rows(), step.nanos());
            }
        }
    }

    /** The step under way goes on without them. */
    private void endTurnsOfEnded() {
        for (EngineRequest request : ended) {
            if (planned.contains(request)) {
                endTurn(request);
            }
        }
        opening.removeIf(EngineRequest::hasEnded);
    }

    /** What was said goes into the contexts, and is held against the last step's drafts. */
    private void endTurns() {
        if (drafted != null) {
            drafted.emitted(outcomes);
            drafted = null;
        }
        planned.forEach(this::endTurn);
        planned.clear();
    }

    private void endTurn(EngineRequest request) {
        if (request.leftItsDraft()) {
            listener.unused();
        }
        request.endTurn(step);
    }

    private void openBegun() {
        for (EngineRequest request : opening) {
            if (!request.hasEnded()) {
                request.open(source, budgets, client.terms(request.scope()));
            }
        }
        opening.clear();
    }

    private void draft(int stepTokensMax) {
        planned.addAll(asking);
        for (EngineRequest request : requests.values()) {
            if (!request.asks() && request.spokeIn(sequence)) {
                request.pass();
                planned.add(request);
            }
        }
        int batch = planned.size();
        for (EngineRequest request : requests.values()) {
            if (!request.asks() && !request.spokeIn(sequence)) {
                planned.add(request);
            }
        }
        planned.forEach(request -> request.plan(plan, batch, stepTokensMax));
        drafted = plan.draft();
        planned.forEach(request -> request.drafted(drafted));
        if (!asking.isEmpty()) {
            share(planned.subList(0, batch), stepTokensMax);
        }
    }

    /**
     * Says how much of each draft is worth its while.
     *
     * @param going requests of the coming step: those that ask, in their order, then those that go on without a draft
     */
    private void share(List<EngineRequest> going, int stepTokensMax) {
        drafts.clear();
        shares.clear();
        for (EngineRequest request : going) {
            drafts.add(request.draft());
            shares.add(request.budget());
        }
        if (nodes.length < going.size()) {
            nodes = new int[2 * going.size()];
        }
        budgets.trim(drafts, shares, stepTokensMax, nodes);
        trimmed = true;
        for (int place = 0; place < asking.size(); place++) {
            asking.get(place).handed(nodes[place]);
        }
    }

    private void answer(long reports, FrameWriter reply) {
        DraftsWriter answer = new DraftsWriter(reply);
        answer.begin(sequence, reports, isOff(), pause(), asking.size());
        for (int place = 0; place < asking.size(); place++) {
            EngineRequest request = asking.get(place);
            answer.draft(request.number(), request.draft(), nodes[place]);
        }
    }

    /** In so many steps after the coming one no request that runs will draft; 0 where nobody asks in this one, or nobody may draft at all. */
    private int pause() {
        return asking.isEmpty()
                ? 0
                : requests.values().stream()
                        .filter(EngineRequest::mayDraft)
                        .mapToInt(EngineRequest::pause)
                        .map(steps -> Math.min(steps, FrameFormat.PAUSE_MAX))
                        .min()
                        .orElse(0);
    }

    /** Whether no running request may draft, whoever asks in this step: a door that holds back asks for none. */
    private boolean isOff() {
        return !requests.isEmpty() && requests.values().stream().noneMatch(EngineRequest::mayDraft);
    }

    /** The engine has gone: nothing of its running requests is kept. */
    @Override
    public void close() {
        requests.values().forEach(EngineRequest::close);
        ended.forEach(EngineRequest::close);
        requests.clear();
        source.close();
    }

    private final class Outcomes implements StepOutcomes {
        @Override
        public int[] tokens(int place) {
            return planned.get(place).saidTokens();
        }

        @Override
        public int count(int place) {
            return planned.get(place).said();
        }
    }

    /**
     * A request that has ended.
     *
     * @param served what it said, and what became of its drafts
     * @param reason why it ended
     * @param shared false: it is nobody's, and is neither remembered nor reported
     */
    public record Ended(ServedRequest served, EndReason reason, boolean shared) {}

    /** Hears of what an engine's steps bring. Called in the engine's thread, after the reply where it may take time. */
    public interface Listener {
        /** A step was drafted for, which took so long. */
        void drafted(long nanos);

        /** What came of a request that asked for a draft in it. */
        void came(DraftAnswer what);

        /** The engine verified nothing of a draft. */
        default void unused() {}

        /**
         * A request has ended.
         *
         * @param sequence the step that said so
         */
        void ended(Hello engine, Ended request, long sequence);
    }
}
