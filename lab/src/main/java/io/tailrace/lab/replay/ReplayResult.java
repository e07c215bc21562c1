package io.tailrace.lab.replay;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one replay of a stream gave.
 *
 * @param byWorkload the counted requests, by workload
 * @param withoutRepeats the same but for requests whose response was given before, token for token
 * @param requestSteps verifications of each request of the stream, counted or not
 * @param requestTokens response tokens of each request, those that were given and not produced left out
 */
public record ReplayResult(
        Map<String, ReplayTally> byWorkload,
        Map<String, ReplayTally> withoutRepeats,
        int[] requestSteps,
        int[] requestTokens) {
    public ReplayResult {
        byWorkload = Collections.unmodifiableMap(new TreeMap<>(byWorkload));
        withoutRepeats = Collections.unmodifiableMap(new TreeMap<>(withoutRepeats));
    }

    /** All counted requests. */
    public ReplayTally pooled() {
        return pooled(byWorkload);
    }

    /** All tallies together. */
    static ReplayTally pooled(Map<String, ReplayTally> tallies) {
        ReplayTally pooled = new ReplayTally();
        tallies.values().forEach(pooled::add);
        return pooled;
    }

    /** Tokens a step over the stream's requests {@code from} to before {@code to}. */
    public double tokensPerStep(int from, int to) {
        long tokens = 0;
        long steps = 0;
        for (int i = from; i < Math.min(to, requestSteps.length); i++) {
            tokens += requestTokens[i];
            steps += requestSteps[i];
        }
        return steps == 0 ? 0 : (double) tokens / steps;
    }
}
