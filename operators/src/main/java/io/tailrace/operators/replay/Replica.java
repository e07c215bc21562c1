package io.tailrace.operators.replay;

import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.learning.ReplayTotals;
import io.tailrace.operators.learning.ReplicaState;
import io.tailrace.operators.signals.ReplaySample;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.lane.LaneIndex;
import io.tailrace.suffix.learn.GenerationReplay;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * One replica of a lane's replay: learns mixer weights from finished generations, counts what drafting gives and would give, and
 * lets a candidate draft beside what is live. Works over a {@link ReplicaState} that it keeps up to date; knows no clock, no
 * file and no thread.
 *
 * <p>The two sides of a trial draft with their weights as they are, each within its own limits: nothing learned on the way blurs the difference. Those that look into
 * the same index are walked together with the learner, for they share what is dear, the search.
 */
final class Replica {
    /** Steps of a trial that wait for a report at most. */
    static final int TRIAL_STEPS_MAX = 4_096;

    private static final DraftPolicy UNLIMITED =
            new DraftPolicy(true, DraftPolicy.BUDGET_MAX, DraftPolicy.defaults().probabilityFloor(), 0, new float[0]);

    private final ReplicaState state;
    private final ReplayOptions options;
    private final GenerationReplay replay = new GenerationReplay();
    private final Mixer learning = Mixer.defaults();
    private final AdaptiveDrafter learner = new AdaptiveDrafter(learning, UNLIMITED);
    private final Mixer live = Mixer.defaults();
    private final Mixer candidate = Mixer.defaults();
    private DraftPolicy candidateLimits;
    private AdaptiveDrafter candidateDrafter;
    private final Map<ReplayChoice, AdaptiveDrafter> choices = new EnumMap<>(ReplayChoice.class);

    /**
     * What a candidate is judged by: it differs from what is live in its policy or in what its index holds.
     *
     * @param number of the trial
     * @param candidateIndex null: the one that is live
     */
    record Trial(long number, Side live, Side candidate, LaneIndex candidateIndex) {}

    /** One of the two that are compared. */
    record Side(float[] weights, DraftPolicy limits) {}

    Replica(ReplicaState state, ReplayOptions options) {
        this.state = state;
        this.options = options;
        if (state.weights != null && state.weights.length == learning.weights().length) {
            learning.set(state.weights);
        }
        candidate.hurry(0);
        options.choices().forEach(choice -> choices.put(choice, new AdaptiveDrafter(Mixer.defaults(), UNLIMITED)));
    }

    /** A copy, which nothing changes any more: a checkpoint may still be writing it when the next generation is replayed. */
    ReplicaState state() {
        ReplicaState copy = new ReplicaState();
        copy.weights = state.weights;
        copy.evidence = state.evidence;
        copy.learnedUntil = state.learnedUntil;
        copy.totals = state.totals;
        copy.choices = new HashMap<>(state.choices);
        copy.trial = state.trial;
        copy.liveSteps = state.liveSteps;
        copy.candidateSteps = state.candidateSteps;
        return copy;
    }

    /**
     * Replays one generation against a snapshot that does not hold it.
     *
     * @param budget draft tokens a verification of the learner
     * @param trial null: none is on
     */
    void replay(ReplaySample sample, LaneIndex index, int budget, Trial trial, boolean alarm) {
        learning.hurry(alarm ? options.hurry() : 1);
        if (trial != null && takesPart(trial)) {
            learnAndJudge(sample, index, budget, trial);
        } else {
            replay.walk(learner, sample.prompt(), sample.response(), index, budget);
        }
        state.totals = state.totals.plus(replayed(sample));
        state.evidence += learner.predictions();
        state.learnedUntil = Math.max(state.learnedUntil, sample.completedAt());
        state.weights = learning.weights();
        choices.forEach((choice, drafter) -> {
            replay.walk(drafter, sample.prompt(), sample.response(), choice.of(index), choice.budget());
            ReplayTotals before = state.choices.getOrDefault(choice.toString(), ReplayTotals.ZERO);
            state.choices.put(choice.toString(), before.plus(replayed(sample)));
        });
    }

    /** The replay that was run last, of one generation. */
    private ReplayTotals replayed(ReplaySample sample) {
        return new ReplayTotals(1, sample.response().length, replay.steps(), replay.drafted(), replay.accepted());
    }

    /** False while enough of the trial's steps wait to be told. */
    private boolean takesPart(Trial trial) {
        if (state.trial != trial.number) {
            state.trial = trial.number;
            state.liveSteps = new int[0];
            state.candidateSteps = new int[0];
        }
        return state.liveSteps.length < TRIAL_STEPS_MAX;
    }

    private void learnAndJudge(ReplaySample sample, LaneIndex index, int budget, Trial trial) {
        live.set(trial.live.weights);
        candidate.set(trial.candidate.weights);
        var liveSide = new GenerationReplay.Side(live, trial.live.limits);
        if (trial.candidateIndex == null) {
            var candidateSide = new GenerationReplay.Side(candidate, trial.candidate.limits);
            replay.walk(learner, sample.prompt(), sample.response(), index, budget, liveSide, candidateSide);
            keep(replay.stepsBeside(0), replay.stepsBeside(1));
        } else {
            AdaptiveDrafter drafter = candidateDrafter(trial.candidate.limits);
            replay.walk(drafter, sample.prompt(), sample.response(), trial.candidateIndex, DraftPolicy.BUDGET_MAX);
            long candidateSteps = replay.steps();
            replay.walk(learner, sample.prompt(), sample.response(), index, budget, liveSide);
            keep(replay.stepsBeside(0), candidateSteps);
        }
    }

    private AdaptiveDrafter candidateDrafter(DraftPolicy limits) {
        if (!limits.equals(candidateLimits)) {
            candidateLimits = limits;
            candidateDrafter = new AdaptiveDrafter(candidate, limits);
        }
        return candidateDrafter;
    }

    private void keep(long liveSteps, long candidateSteps) {
        state.liveSteps = with(state.liveSteps, liveSteps);
        state.candidateSteps = with(state.candidateSteps, candidateSteps);
    }

    private static int[] with(int[] steps, long one) {
        int[] more = Arrays.copyOf(steps, steps.length + 1);
        more[steps.length] = (int) one;
        return more;
    }

    /** What to tell; the trial's steps are told once. */
    LearningReport report(String lane, int replica) {
        LearningReport report = new LearningReport(
                lane,
                replica,
                state.weights,
                state.evidence,
                state.learnedUntil,
                state.totals,
                new HashMap<>(state.choices),
                state.trial,
                state.liveSteps,
                state.candidateSteps);
        state.liveSteps = new int[0];
        state.candidateSteps = new int[0];
        return report;
    }
}
