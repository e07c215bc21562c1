package io.tailrace.client.verification;

import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one request's steps add up to. Written by its decoder, read-only afterwards. Draft tokens are counted by their source and by the length
 * of the match behind them, in classes that are the mixer's thresholds.
 */
public final class DecodeTally {
    private static final int[] MATCH_LENGTH_MINS = {1, 2, 3, 4, 6, 9, 14, 22};

    private final Map<SourceKind, int[]> draftedBySource = countersByClass();
    private final Map<SourceKind, int[]> acceptedBySource = countersByClass();
    private final int[] draftedAt = new int[DraftPolicy.BUDGET_MAX];
    private final int[] acceptedAt = new int[DraftPolicy.BUDGET_MAX];
    private final int[] depths = new int[DraftPolicy.BUDGET_MAX];
    private final Map<StepShape, StepTotal> steps = new TreeMap<>();
    private int stepCount;
    private int drafted;
    private int accepted;
    private long draftNanos;
    private double logLoss;
    private long predictions;

    /** Steps that verified the same number of tokens, of all requests together, in a batch of the same size. */
    public record StepShape(int batch, int verifiedTokens) implements Comparable<StepShape> {
        @Override
        public int compareTo(StepShape other) {
            int byBatch = Integer.compare(batch, other.batch);
            return byBatch != 0 ? byBatch : Integer.compare(verifiedTokens, other.verifiedTokens);
        }
    }

    /** How many steps, and their time in microseconds. */
    public record StepTotal(int steps, long micros) {
        StepTotal plus(StepTotal other) {
            return new StepTotal(steps + other.steps, micros + other.micros);
        }
    }

    /** Counts a step. Its time counts if the verdict names a batch. */
    public void add(Draft draft, Verdict verdict, long stepDraftNanos) {
        stepCount++;
        drafted += draft.size();
        accepted += verdict.accepted();
        draftNanos += stepDraftNanos;
        int positions = 0;
        for (int node = 0; node < draft.size(); node++) {
            count(draftedBySource, draft, node);
            int parent = draft.parent(node);
            depths[node] = parent < 0 ? 1 : depths[parent] + 1;
            positions = Math.max(positions, depths[node]);
        }
        for (int position = 0; position < positions; position++) {
            draftedAt[position]++;
        }
        for (int depth = 0; depth < verdict.accepted(); depth++) {
            count(acceptedBySource, draft, verdict.acceptedNode(depth));
            acceptedAt[depth]++;
        }
        if (verdict.batch() > 0) {
            steps.merge(
                    new StepShape(verdict.batch(), verdict.verifiedTokens()),
                    new StepTotal(1, verdict.micros()),
                    StepTotal::plus);
        }
    }

    public void learned(double nats, long places) {
        logLoss = nats;
        predictions = places;
    }

    /** Log-loss of the mixer's predictions, in nats, summed over {@link #predictions}; 0 where nothing learns. */
    public double logLoss() {
        return logLoss;
    }

    /** Places at which it is known what came. */
    public long predictions() {
        return predictions;
    }

    /** Verifications. */
    public int steps() {
        return stepCount;
    }

    /** Draft tokens verified. */
    public int drafted() {
        return drafted;
    }

    /** Draft tokens accepted. */
    public int accepted() {
        return accepted;
    }

    /** Draft tokens accepted that other answers of the lane made possible. */
    public int acceptedFromAnswers() {
        return acceptedBySource.entrySet().stream()
                .filter(source -> source.getKey().shared())
                .flatMapToInt(source -> Arrays.stream(source.getValue()))
                .sum();
    }

    /** Time spent drafting, in nanoseconds. */
    public long draftNanos() {
        return draftNanos;
    }

    public int drafted(SourceKind kind, int matchLengthClass) {
        return draftedBySource.get(kind)[matchLengthClass];
    }

    public int accepted(SourceKind kind, int matchLengthClass) {
        return acceptedBySource.get(kind)[matchLengthClass];
    }

    /** Positions that a draft had a token at, from the first one on. */
    public int positions() {
        int positions = 0;
        while (positions < draftedAt.length && draftedAt[positions] > 0) {
            positions++;
        }
        return positions;
    }

    /** Steps whose draft had a token at a position, from 0. */
    public int draftedAt(int position) {
        return draftedAt[position];
    }

    /** Steps that accepted a token at a position, from 0. */
    public int acceptedAt(int position) {
        return acceptedAt[position];
    }

    /** Step times by shape, smallest shape first. */
    public Map<StepShape, StepTotal> stepTimes() {
        return Collections.unmodifiableMap(steps);
    }

    /** Classes of match length; they count from 0. */
    public static int matchLengthClasses() {
        return MATCH_LENGTH_MINS.length;
    }

    /** Smallest match length of a class. */
    public static int matchLengthMin(int matchLengthClass) {
        return MATCH_LENGTH_MINS[matchLengthClass];
    }

    /** The class of a match length of at least 1. */
    static int classOf(int matchLength) {
        if (matchLength < 1) {
            throw new IllegalArgumentException("a match has at least 1 token, got " + matchLength);
        }
        int found = MATCH_LENGTH_MINS.length - 1;
        while (MATCH_LENGTH_MINS[found] > matchLength) {
            found--;
        }
        return found;
    }

    private static void count(Map<SourceKind, int[]> counters, Draft draft, int node) {
        SourceKind source = draft.source(node);
        if (source != null) {
            counters.get(source)[classOf(draft.matchLength(node))]++;
        }
    }

    private static Map<SourceKind, int[]> countersByClass() {
        Map<SourceKind, int[]> counters = new EnumMap<>(SourceKind.class);
        for (SourceKind kind : SourceKind.values()) {
            counters.put(kind, new int[matchLengthClasses()]);
        }
        return counters;
    }
}
