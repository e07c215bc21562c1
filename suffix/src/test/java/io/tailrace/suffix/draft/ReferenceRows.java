package io.tailrace.suffix.draft;

import io.tailrace.suffix.draft.ReferenceDrafter.Choice;
import io.tailrace.suffix.draft.ReferenceDrafter.Spot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The dull twin of {@link RowStage} and what it asks: the lane's rows and the request's, twenty weights for each, with maps and lists. */
final class ReferenceRows {
    private static final int OUTSIDE = 8;
    private static final int UNKNOWN = 9;
    private static final int UNVOTED = 10;
    private static final int SAID = 18;
    private static final int LEFT = 19;

    private static final float[] AT_FIRST = {
        1, 0.5f, 0.3f, 0.1f, 0, 0, 0, 0, -0.3f, 0, -1, -1.8f, -2.3f, -2.7f, -3, -3.2f, -3.5f, -3.8f, 1, 0
    };

    private final Map<Integer, List<Integer>> ofLane = new HashMap<>();
    private final Map<Integer, List<Integer>> ofRequest = new HashMap<>();
    private final float[] laneWeights = AT_FIRST.clone();
    private final float[] requestWeights = AT_FIRST.clone();

    float[] weights() {
        return laneWeights;
    }

    float[] weightsOfRequests() {
        return requestWeights;
    }

    void begin() {
        ofRequest.clear();
    }

    void tell(int token, List<Integer> likeliest) {
        ofLane.put(token, likeliest);
        ofRequest.put(token, likeliest);
    }

    /** What another request of the lane was told. */
    void tellLane(int token, List<Integer> likeliest) {
        ofLane.put(token, likeliest);
    }

    /** Gives a place its unvoted choices, and all their probabilities. */
    void judge(Spot spot, int after) {
        spot.weights = ofRequest.containsKey(after) ? requestWeights : laneWeights;
        List<Integer> row = ofRequest.getOrDefault(after, ofLane.get(after));
        for (Choice choice : spot.choices.values()) {
            int rank = row == null ? UNKNOWN : row.indexOf(choice.token);
            choice.rank = rank < 0 ? OUTSIDE : rank;
            choice.said = Math.max(-8, Math.min(8, choice.said));
        }
        for (int rank = 0; row != null && rank < row.size(); rank++) {
            if (!spot.choices.containsKey(row.get(rank))) {
                Choice choice = new Choice(row.get(rank));
                choice.parent = spot;
                choice.rank = rank;
                spot.unvoted.put(choice.token, choice);
            }
        }
        spot.left = spot.left - 1;
        shares(spot).forEach((choice, share) -> choice.probability = spot.probability * share);
    }

    /** To be asked before the mixer learns, which takes other sums. */
    void learn(Spot spot, int truth) {
        if (spot.choices.isEmpty() && spot.unvoted.isEmpty()) {
            return;
        }
        float[] weights = spot.weights;
        float[] gradient = new float[weights.length];
        shares(spot).forEach((choice, share) -> {
            float error = (choice.token == truth ? 1 : 0) - share;
            boolean voted = spot.choices.containsKey(choice.token);
            gradient[voted ? choice.rank : UNVOTED + choice.rank] += error;
            gradient[voted ? SAID : LEFT] += error * (voted ? choice.said : spot.left);
        });
        for (int i = 0; i < weights.length; i++) {
            weights[i] += (i < SAID ? 0.02f : 0.004f) * gradient[i];
        }
    }

    private Map<Choice, Float> shares(Spot spot) {
        List<Choice> all = new ArrayList<>(spot.choices.values());
        all.addAll(spot.unvoted.values());
        float[] weights = spot.weights;
        Map<Choice, Float> odds = new LinkedHashMap<>();
        float sum = 1;
        for (Choice choice : all) {
            float odd = Features.exponential(
                    spot.choices.containsKey(choice.token)
                            ? weights[SAID] * choice.said + weights[choice.rank]
                            : weights[LEFT] * spot.left + weights[UNVOTED + choice.rank]);
            odds.put(choice, odd);
            sum += odd;
        }
        float whole = sum;
        odds.replaceAll((choice, odd) -> odd / whole);
        return odds;
    }
}
