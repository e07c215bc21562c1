package io.tailrace.operators.evaluation;

import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.learn.GenerationReplay;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One replica of a lane's evaluation: learns mixer weights from finished generations, counts what drafting gives and would give, and
 * lets a candidate draft beside what is live. Works over a {@link State} that it keeps up to date; knows no clock and no
 * file. One thread evaluates, another may ask at any time what came of the evaluations that are done.
 *
 * <p>The sides of a trial draft with their weights as they are, each within its own limits: nothing learned on the way blurs the difference. Those that look into
 * the same index are walked together with the learner, for they share what is dear, the search.
 */
final class Replica {
    /** Weights of a replica that has evaluated nothing yet: of no layout, so that no mean takes them in. */
    private static final float[] NOTHING_LEARNED = {};

    /** Steps of a trial that wait for a report at most. */
    static final int TRIAL_STEPS_MAX = 4_096;

    static final DraftPolicy UNLIMITED =
            new DraftPolicy(true, DraftPolicy.BUDGET_MAX, DraftPolicy.defaults().probabilityFloor(), 0, new float[0]);

    private final State state;
    private final Evaluator.Options options;
    private final GenerationReplay drafting = new GenerationReplay();
    private final Mixer learning = Mixer.defaults();
    private final AdaptiveDrafter learner = new AdaptiveDrafter(learning, UNLIMITED);
    private final Mixer live = Mixer.defaults();
    private final Mixer candidate = Mixer.defaults();
    private final Mixer anchor = Mixer.defaults();
    private final AtomicInteger waiting = new AtomicInteger();
    private DraftPolicy candidateLimits;
    private AdaptiveDrafter candidateDrafter;
    private final CountedChoices choices;

    /**
     * What a candidate is judged by: it differs from what is live in its policy or in what its index holds.
     *
     * @param number of the trial
     * @param anchor the best policy that was shown; null: the one that is live
     * @param candidateIndex null: the one that is live
     */
    record Trial(long number, Side live, Side candidate, Side anchor, LaneIndex candidateIndex) {}

    /** One of those that are compared. */
    record Side(float[] weights, DraftPolicy limits) {}

    /** Steps of one generation; {@code anchor} is 0 where that is what is live. */
    private record Scored(long live, long candidate, long anchor) {}

    /** @param state as it was restored, or new; it is copied */
    Replica(State state, Evaluator.Options options) {
        this.state = state.copy();
        this.options = options;
        this.choices = new CountedChoices(options.choices(), this.state.choicesLearned, state.learned);
        this.state.keepChoices(choices.names());
        takeUp(learning, state.learned);
        candidate.hurry(0);
    }

    /** Goes on with what was learned before; null, or of another layout: with what the mixer has. */
    static void takeUp(Mixer mixer, float[] learned) {
        if (learned != null) {
            mixer.resume(learned);
        }
    }

    /** A copy, which nothing changes any more: a checkpoint may still be writing it when the next generation is evaluated. */
    synchronized State state() {
        return state.copy();
    }

    /** An evaluation of it was taken in. */
    void awaited() {
        waiting.incrementAndGet();
    }

    /** It was done, or left out. */
    void ended() {
        waiting.decrementAndGet();
    }

    boolean isAwaited() {
        return waiting.get() > 0;
    }

    /**
     * Evaluates one generation against a snapshot that does not hold it.
     *
     * @param budget draft tokens a verification of the learner
     * @param trial null: none is on
     */
    void evaluate(EvaluationSample sample, LaneIndex index, int budget, Trial trial, boolean alarm) {
        float hurry = alarm ? options.hurry() : 1;
        learning.hurry(hurry);
        Scored scored = null;
        if (trial != null && takesPart(trial)) {
            scored = learnAndJudge(sample, index, budget, trial);
        } else {
            drafting.walk(learner, sample.prompt(), sample.response(), index, budget);
        }
        LearningReport.Totals own = totals(drafting, sample);
        Map<String, LearningReport.Totals> counted = choices.count(sample, index, budget, hurry);
        synchronized (this) {
            state.totals = state.totals.plus(own);
            state.evidence += learner.predictions();
            state.learnedUntil = Math.max(state.learnedUntil, sample.completedAt());
            state.learned = learning.learned();
            keep(counted, own);
            if (scored != null) {
                keep(scored, trial.anchor != null);
            }
        }
    }

    private void keep(Map<String, LearningReport.Totals> counted, LearningReport.Totals own) {
        counted.forEach((choice, totals) -> {
            state.choices.merge(choice, totals, LearningReport.Totals::plus);
            state.choicesLive.merge(choice, own, LearningReport.Totals::plus);
        });
        state.choicesLearned = choices.learned();
    }

    /** What an evaluation gave that was run last, of one generation. */
    static LearningReport.Totals totals(GenerationReplay drafting, EvaluationSample sample) {
        return new LearningReport.Totals(
                1, sample.response().length, drafting.steps(), drafting.drafted(), drafting.accepted());
    }

    /** False while enough of the trial's steps wait to be told. */
    private synchronized boolean takesPart(Trial trial) {
        if (state.trial != trial.number) {
            state.trial = trial.number;
            forgetSteps();
        }
        return state.liveSteps.length < TRIAL_STEPS_MAX;
    }

    private Scored learnAndJudge(EvaluationSample sample, LaneIndex index, int budget, Trial trial) {
        live.set(trial.live.weights);
        candidate.set(trial.candidate.weights);
        var liveSide = new GenerationReplay.Side(live, trial.live.limits);
        if (trial.candidateIndex != null) {
            AdaptiveDrafter drafter = candidateDrafter(trial.candidate.limits);
            drafting.walk(drafter, sample.prompt(), sample.response(), trial.candidateIndex, DraftPolicy.BUDGET_MAX);
            long candidateSteps = drafting.steps();
            drafting.walk(learner, sample.prompt(), sample.response(), index, budget, liveSide);
            return new Scored(drafting.stepsBeside(0), candidateSteps, 0);
        }
        var candidateSide = new GenerationReplay.Side(candidate, trial.candidate.limits);
        if (trial.anchor == null) {
            drafting.walk(learner, sample.prompt(), sample.response(), index, budget, liveSide, candidateSide);
            return new Scored(drafting.stepsBeside(0), drafting.stepsBeside(1), 0);
        }
        anchor.set(trial.anchor.weights);
        var anchorSide = new GenerationReplay.Side(anchor, trial.anchor.limits);
        drafting.walk(learner, sample.prompt(), sample.response(), index, budget, liveSide, candidateSide, anchorSide);
        return new Scored(drafting.stepsBeside(0), drafting.stepsBeside(1), drafting.stepsBeside(2));
    }

    private AdaptiveDrafter candidateDrafter(DraftPolicy limits) {
        if (!limits.equals(candidateLimits)) {
            candidateLimits = limits;
            candidateDrafter = new AdaptiveDrafter(candidate, limits);
        }
        return candidateDrafter;
    }

    private void keep(Scored scored, boolean anchored) {
        state.liveSteps = with(state.liveSteps, scored.live);
        state.candidateSteps = with(state.candidateSteps, scored.candidate);
        state.anchorSteps = anchored ? with(state.anchorSteps, scored.anchor) : state.anchorSteps;
    }

    private void forgetSteps() {
        state.liveSteps = new int[0];
        state.candidateSteps = new int[0];
        state.anchorSteps = new int[0];
    }

    private static int[] with(int[] steps, long one) {
        int[] more = Arrays.copyOf(steps, steps.length + 1);
        more[steps.length] = (int) one;
        return more;
    }

    /** What to tell; the trial's steps are told once. */
    synchronized LearningReport report(String lane, int replica) {
        LearningReport report = new LearningReport(
                lane,
                replica,
                state.learned == null ? NOTHING_LEARNED : Mixer.weightsOf(state.learned),
                state.evidence,
                state.learnedUntil,
                state.totals,
                new HashMap<>(state.choices),
                new HashMap<>(state.choicesLive),
                state.trial,
                state.liveSteps,
                state.candidateSteps,
                state.anchorSteps);
        forgetSteps();
        return report;
    }

    /** All that a replica of a lane's evaluation checkpoints; only the evaluation gives its fields meaning. */
    static final class State {
        /** What the mixer has learned so far, as it says it; null: nothing. */
        public float[] learned;
        /** Labelled places they were learned from. */
        public long evidence;
        /** What they were learned from was completed before, epoch milliseconds. */
        public long learnedUntil;
        /** Evaluated so far. */
        public LearningReport.Totals totals = LearningReport.Totals.ZERO;
        /** What other choices would have given, by name; each since it is counted. */
        public Map<String, LearningReport.Totals> choices = new HashMap<>();
        /** What the live choice gave on the same generations, by the other's name. */
        public Map<String, LearningReport.Totals> choicesLive = new HashMap<>();
        /** The same of those choices that learn, by name. */
        public Map<String, float[]> choicesLearned = new HashMap<>();
        /** The trial that the steps below are of; 0: none. */
        public long trial;
        /** Steps with the live policy, generation by generation, since the last report. */
        public int[] liveSteps = {};
        /** Steps with the candidate. */
        public int[] candidateSteps = {};
        /** Steps with the best policy that was shown; none where that is the live one. */
        public int[] anchorSteps = {};

        /** The same in another object: Flink may still be writing the one, while a replica goes on with the other. Arrays and totals are never changed, only exchanged. */
        public State copy() {
            State copy = new State();
            copy.learned = learned;
            copy.evidence = evidence;
            copy.learnedUntil = learnedUntil;
            copy.totals = totals;
            copy.choices = new HashMap<>(choices);
            copy.choicesLive = new HashMap<>(choicesLive);
            copy.choicesLearned = new HashMap<>(choicesLearned);
            copy.trial = trial;
            copy.liveSteps = liveSteps;
            copy.candidateSteps = candidateSteps;
            copy.anchorSteps = anchorSteps;
            return copy;
        }

        /** Keeps what can be gone on with of the choices: those that are still asked for. */
        public void keepChoices(Set<String> asked) {
            choices.keySet().retainAll(asked);
            choicesLive.keySet().retainAll(choices.keySet());
            choicesLearned.keySet().retainAll(choices.keySet());
        }
    }
}
