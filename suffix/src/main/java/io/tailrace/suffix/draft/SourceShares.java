package io.tailrace.suffix.draft;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How a mixer's weights are shared out among source kinds. All inputs from votes are log-odds of shares of votes, so their weights can be
 * compared. A share says how far votes of a kind can move a probability, not how often there are any.
 */
public final class SourceShares {
    private SourceShares() {}

    /**
     * Each kind's part of the absolute weights on votes, over all weight sets that places choose. Votes by the rank of similar requests
     * are those of {@link SourceKind#SIMILAR}.
     *
     * @param weights of a mixer, of {@link Mixer#LAYOUT}
     * @return for every kind 0 to 1, together 1; all 0 where no vote weighs anything
     * @throws IllegalArgumentException if these are no mixer's weights
     */
    public static Map<SourceKind, Double> of(float[] weights) {
        float[] checked = Mixer.of(weights).weights();
        double[] sums = new double[SourceKind.values().length];
        double all = 0;
        for (int set = 0; set < Mixer.PLACE_WEIGHTS; set += Features.COUNT) {
            for (int input = 0; input < Features.VOTES; input++) {
                double weight = Math.abs(checked[set + input]);
                int poll = input / Features.LEVELS;
                sums[poll == Features.RANKED ? SourceKind.SIMILAR.index() : poll] += weight;
                all += weight;
            }
        }
        Map<SourceKind, Double> shares = new EnumMap<>(SourceKind.class);
        for (SourceKind kind : SourceKind.values()) {
            shares.put(kind, all == 0 ? 0 : sums[kind.index()] / all);
        }
        return Collections.unmodifiableMap(shares);
    }
}
