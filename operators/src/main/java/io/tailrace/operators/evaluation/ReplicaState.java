package io.tailrace.operators.evaluation;

import io.tailrace.operators.learning.EvaluationTotals;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** All that a replica of a lane's evaluation checkpoints; only the evaluation gives its fields meaning. */
final class ReplicaState {
    /** Mixer weights as learned so far; null: the defaults. */
    public float[] weights;
    /** Labelled places they were learned from. */
    public long evidence;
    /** What they were learned from was completed before, epoch milliseconds. */
    public long learnedUntil;
    /** Evaluated so far. */
    public EvaluationTotals totals = EvaluationTotals.ZERO;
    /** What other choices would have given, by name; each since it is counted. */
    public Map<String, EvaluationTotals> choices = new HashMap<>();
    /** What the live choice gave on the same generations, by the other's name. */
    public Map<String, EvaluationTotals> choicesLive = new HashMap<>();
    /** Mixer weights of those choices that learn, by name. */
    public Map<String, float[]> choiceWeights = new HashMap<>();
    /** The trial that the steps below are of; 0: none. */
    public long trial;
    /** Steps with the live policy, generation by generation, since the last report. */
    public int[] liveSteps = {};
    /** Steps with the candidate. */
    public int[] candidateSteps = {};
    /** Steps with the best policy that was shown; none where that is the live one. */
    public int[] anchorSteps = {};

    /** The same in another object: Flink may still be writing the one, while a replica goes on with the other. Arrays and totals are never changed, only exchanged. */
    public ReplicaState copy() {
        ReplicaState copy = new ReplicaState();
        copy.weights = weights;
        copy.evidence = evidence;
        copy.learnedUntil = learnedUntil;
        copy.totals = totals;
        copy.choices = new HashMap<>(choices);
        copy.choicesLive = new HashMap<>(choicesLive);
        copy.choiceWeights = new HashMap<>(choiceWeights);
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
        choiceWeights.keySet().retainAll(choices.keySet());
    }
}
