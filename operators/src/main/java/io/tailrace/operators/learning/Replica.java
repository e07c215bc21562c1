package io.tailrace.operators.learning;

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
 * <p>The two sides of a trial draft with their weights as they are: nothing learned on the way blurs the difference.
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
    private final Mixer judged = Mixer.defaults();
    private final AdaptiveDrafter judgedDrafter = new AdaptiveDrafter(judged, UNLIMITED);
    private final Map<ReplayChoice, AdaptiveDrafter> choices = new EnumMap<>(ReplayChoice.class);

    /**
     * What a candidate is judged by: it differs from what is live in its weights or in what its index holds.
     *
     * @param number of the trial
     */
    record Trial(long number, float[] live, float[] candidate, LaneIndex liveIndex, LaneIndex candidateIndex) {}

    Replica(ReplicaState state, ReplayOptions options) {
        this.state = state;
        this.options = options;
        if (state.weights != null && state.weights.length == learning.weights().length) {
            learning.set(state.weights);
        }
        judged.hurry(0);
        options.choices().forEach(choice -> choices.put(choice, new AdaptiveDrafter(Mixer.defaults(), UNLIMITED)));
    }

    ReplicaState state() {
        return state;
    }

    /**
     * Replays one generation against a snapshot that does not hold it.
     *
     * @param budget draft tokens a verification
     * @param trial null: none is on
     */
    void replay(ReplaySample sample, LaneIndex index, int budget, Trial trial, boolean alarm) {
        if (trial != null) {
            judge(sample, budget, trial);
        }
        learning.hurry(alarm ? options.hurry() : 1);
        replay.run(learner, sample.prompt(), sample.response(), index, budget);
        state.totals = state.totals.plus(replay, sample.response().length);
        state.evidence += learner.predictions();
        state.learnedUntil = Math.max(state.learnedUntil, sample.completedAt());
        state.weights = learning.weights();
        choices.forEach((choice, drafter) -> {
            replay.run(drafter, sample.prompt(), sample.response(), choice.of(index), choice.budget());
            ReplayTotals before = state.choices.getOrDefault(choice.toString(), ReplayTotals.ZERO);
            state.choices.put(choice.toString(), before.plus(replay, sample.response().length));
        });
    }

    private void judge(ReplaySample sample, int budget, Trial trial) {
        if (state.trial != trial.number) {
            state.trial = trial.number;
            state.liveSteps = new int[0];
            state.candidateSteps = new int[0];
        }
        if (state.liveSteps.length < TRIAL_STEPS_MAX) {
            state.liveSteps = with(state.liveSteps, steps(trial.live, sample, trial.liveIndex, budget));
            state.candidateSteps =
                    with(state.candidateSteps, steps(trial.candidate, sample, trial.candidateIndex, budget));
        }
    }

    private int steps(float[] weights, ReplaySample sample, LaneIndex index, int budget) {
        judged.set(weights);
        replay.run(judgedDrafter, sample.prompt(), sample.response(), index, budget);
        return (int) replay.steps();
    }

    private static int[] with(int[] steps, int one) {
        int[] more = Arrays.copyOf(steps, steps.length + 1);
        more[steps.length] = one;
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
