package io.tailrace.lab.replay;

import io.tailrace.suffix.draft.DraftPolicy;
import org.HdrHistogram.Histogram;

/** What replayed requests add up to. Written by one replay, or by adding others; read-only afterwards. */
public final class ReplayTally {
    private static final long DRAFT_NANOS_MAX = 60_000_000_000L;

    private final long[] stepsByDrafted = new long[DraftPolicy.BUDGET_MAX + 1];
    private final Histogram draftNanos = new Histogram(1, DRAFT_NANOS_MAX, 2);
    private final Reliability paths = new Reliability();
    private final Reliability tokensAtNode = new Reliability();
    private long requests;
    private long steps;
    private long tokens;
    private long drafted;
    private long accepted;

    /** A tally as it was written down; what it does not say (times, reliability) is empty. */
    public static ReplayTally restored(long requests, long tokens, long accepted, long[] stepsByDrafted) {
        ReplayTally tally = new ReplayTally();
        tally.requests = requests;
        tally.tokens = tokens;
        tally.accepted = accepted;
        for (int drafted = 0; drafted < stepsByDrafted.length; drafted++) {
            tally.stepsByDrafted[drafted] = stepsByDrafted[drafted];
            tally.steps += stepsByDrafted[drafted];
            tally.drafted += drafted * stepsByDrafted[drafted];
        }
        return tally;
    }

    void addRequest() {
        requests++;
    }

    void addStep(int draftedTokens, int acceptedTokens, int producedTokens, long nanos) {
        steps++;
        stepsByDrafted[draftedTokens]++;
        drafted += draftedTokens;
        accepted += acceptedTokens;
        tokens += producedTokens;
        draftNanos.recordValue(Math.max(1, Math.min(nanos, DRAFT_NANOS_MAX)));
    }

    /** Adds what another one has. */
    public void add(ReplayTally other) {
        requests += other.requests;
        steps += other.steps;
        tokens += other.tokens;
        drafted += other.drafted;
        accepted += other.accepted;
        for (int i = 0; i < stepsByDrafted.length; i++) {
            stepsByDrafted[i] += other.stepsByDrafted[i];
        }
        draftNanos.add(other.draftNanos);
        paths.add(other.paths);
        tokensAtNode.add(other.tokensAtNode);
    }

    /** Steps by the number of draft tokens they verified, from 0. */
    public long[] stepsByDrafted() {
        return stepsByDrafted.clone();
    }

    public long requests() {
        return requests;
    }

    /** Verifications. */
    public long steps() {
        return steps;
    }

    /** Response tokens produced, the model's own included. */
    public long tokens() {
        return tokens;
    }

    /** Draft tokens verified. */
    public long drafted() {
        return drafted;
    }

    /** Draft tokens accepted. */
    public long accepted() {
        return accepted;
    }

    public double acceptedPerStep() {
        return perStep(accepted);
    }

    public double tokensPerStep() {
        return perStep(tokens);
    }

    public double draftedPerStep() {
        return perStep(drafted);
    }

    /** Share of the draft tokens that were accepted; 0 where nothing was drafted. */
    public double acceptanceRate() {
        return drafted == 0 ? 0 : (double) accepted / drafted;
    }

    /**
     * How many times faster than one token a step, drafting itself taken as free. The other requests of a step verify as many
     * tokens as these did on average.
     */
    public double speedUp(AssumedCost cost) {
        double others = (cost.batch() - 1) * (1 + draftedPerStep());
        double time = 0;
        for (int count = 0; count < stepsByDrafted.length; count++) {
            time += stepsByDrafted[count] * cost.time(count + 1 + others);
        }
        return time == 0 ? 0 : tokens * cost.time(cost.batch()) / time;
    }

    /** Whether every step's draft was timed; not where some were written down. */
    public boolean isTimed() {
        return steps > 0 && draftNanos.getTotalCount() == steps;
    }

    /** Microseconds that the given share of the drafts did not pass. */
    public double draftMicros(double share) {
        return draftNanos.getTotalCount() == 0 ? 0 : draftNanos.getValueAtPercentile(share * 100) / 1e3;
    }

    /** For every drafted node whose token can be known: its path's probability, and whether all of the path was right. */
    public Reliability paths() {
        return paths;
    }

    /** For every drafted node whose parent was right: its probability given the parent, and whether it was right. */
    public Reliability tokensAtNode() {
        return tokensAtNode;
    }

    private double perStep(long sum) {
        return steps == 0 ? 0 : (double) sum / steps;
    }
}
