package io.tailrace.suffix.cost;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one worker's steps took, by shape: batch, and tokens verified by the whole step, see {@link CostCurve}. {@link AgreedCurve} makes one
 * curve of those of all workers of a class.
 *
 * <p><b>Robust.</b> A shape keeps a histogram of mean step times over buckets {@value #STEPS_PER_OCTAVE} to a doubling, old counts
 * fading; its figure is the median. A few steps that met a garbage collection, or a clock gone wrong, move it by nothing.
 *
 * <p>Bounded: at most {@value #SHAPES_MAX} shapes. Batches above {@value #BATCHES_EXACT} are rounded down to powers of two, tokens above
 * {@value #TOKENS_EXACT} to the nearest of eight an octave. What is kept is plain, for checkpoints.
 */
public final class CostFit {
    /** Buckets of a histogram: from 1 us to 2^24 us. */
    static final int STEPS_PER_OCTAVE = 16;

    static final int BUCKETS = 24 * STEPS_PER_OCTAVE;
    static final int SHAPES_MAX = 1_024;
    /** Of a shape; what falls between them counts for the nearest until fading makes room. */
    static final int BUCKETS_KEPT = 64;

    static final int BATCHES_EXACT = 8;
    static final int TOKENS_EXACT = 32;
    private static final int BATCH_MAX = 4_096;
    private static final int TOKENS_MAX = 1 << 15;
    /** Counts of a shape are halved when they reach this many steps: a curve follows a machine that changes. */
    static final float STEPS_KEPT = 4_096;

    private final Map<Integer, float[]> histograms;
    private final int shapesMax;

    public CostFit() {
        this(new HashMap<>());
    }

    /** Over what an earlier fit kept; it is changed. */
    public CostFit(Map<Integer, float[]> kept) {
        this(kept, SHAPES_MAX);
    }

    /**
     * The same for fits that share their room.
     *
     * @param kept what an earlier fit kept; it is changed
     * @param shapesMax most shapes of this one; those that are kept stay
     */
    public CostFit(Map<Integer, float[]> kept, int shapesMax) {
        this.histograms = kept;
        this.shapesMax = Math.min(shapesMax, SHAPES_MAX);
    }

    /** What to keep: by shape, see {@link #shape}, pairs of bucket and count. */
    public Map<Integer, float[]> kept() {
        return histograms;
    }

    /** A shape as one number. */
    static int shape(int batch, int verifiedTokens) {
        int rounded = batch <= BATCHES_EXACT ? batch : Integer.highestOneBit(batch);
        return rounded << 16 | rounded(verifiedTokens);
    }

    private static int rounded(int tokens) {
        if (tokens <= TOKENS_EXACT) {
            return tokens;
        }
        int step = Integer.highestOneBit(tokens) >> 3;
        return (tokens + step / 2) / step * step;
    }

    static int batch(int shape) {
        return shape >> 16;
    }

    static int tokens(int shape) {
        return shape & 0xFFFF;
    }

    /** Takes in steps of one shape; nonsense is left out. */
    public void add(int batch, int verifiedTokens, int steps, double micros) {
        boolean isStep = CostCurve.isPoint(batch, verifiedTokens, micros) && steps >= 1 && micros > 0;
        if (!isStep || batch > BATCH_MAX || verifiedTokens > TOKENS_MAX) {
            return;
        }
        int shape = shape(batch, verifiedTokens);
        float[] sparse = histograms.get(shape);
        if (sparse == null) {
            if (histograms.size() >= shapesMax) {
                return;
            }
            sparse = new float[0];
        }
        histograms.put(shape, counted(sparse, bucket(micros / steps), steps));
    }

    private static int bucket(double micros) {
        double octaves = Math.log(Math.max(1, micros)) / Math.log(2);
        return (int) Math.min(BUCKETS - 1, octaves * STEPS_PER_OCTAVE);
    }

    private static double micros(double bucket) {
        return Math.exp((bucket + 0.5) / STEPS_PER_OCTAVE * Math.log(2));
    }

    /** Pairs of bucket and count in ascending order of the buckets, with so many added to one. */
    private static float[] counted(float[] pairs, int bucket, int steps) {
        int at = 0;
        float total = steps;
        for (int i = 1; i < pairs.length; i += 2) {
            total += pairs[i];
        }
        float fade = total > STEPS_KEPT ? 0.5f : 1;
        while (at < pairs.length && pairs[at] < bucket) {
            at += 2;
        }
        boolean there = at < pairs.length && pairs[at] == bucket;
        float[] next = there ? pairs.clone() : new float[pairs.length + 2];
        if (!there && pairs.length >= 2 * BUCKETS_KEPT) {
            return counted(pairs, (int) nearest(pairs, at, bucket), steps);
        }
        if (!there) {
            System.arraycopy(pairs, 0, next, 0, at);
            System.arraycopy(pairs, at, next, at + 2, pairs.length - at);
            next[at] = bucket;
        }
        next[at + 1] += steps;
        for (int i = 1; fade < 1 && i < next.length; i += 2) {
            next[i] *= fade;
        }
        return fade < 1 ? withoutTraces(next) : next;
    }

    /** The kept bucket nearest to one that would stand there. */
    private static float nearest(float[] pairs, int at, int bucket) {
        boolean above = at == 0 || (at < pairs.length && pairs[at] - bucket < bucket - pairs[at - 2]);
        return above ? pairs[at] : pairs[at - 2];
    }

    private static float[] withoutTraces(float[] pairs) {
        float[] kept = new float[pairs.length];
        int length = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] >= 0.5f) {
                kept[length++] = pairs[i];
                kept[length++] = pairs[i + 1];
            }
        }
        return Arrays.copyOf(kept, length);
    }

    /** The fitted curve's points if this worker is the only one, batches ascending, tokens ascending within. */
    public List<CostCurve.Point> points() {
        return AgreedCurve.points(List.of(this));
    }

    /** By shape, see {@link #shape}. */
    Map<Integer, Median> medians() {
        Map<Integer, Median> medians = new HashMap<>();
        histograms.forEach((shape, pairs) -> {
            if (pairs.length > 0) {
                medians.put(shape, median(pairs));
            }
        });
        return medians;
    }

    /**
     * What a step of one shape takes.
     *
     * @param logMicros logarithm of the median step time
     * @param steps that it stands on
     */
    record Median(double logMicros, double steps) {}

    private static Median median(float[] pairs) {
        double total = 0;
        for (int i = 1; i < pairs.length; i += 2) {
            total += pairs[i];
        }
        double below = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            if (below + pairs[i + 1] >= total / 2) {
                return new Median(Math.log(micros(pairs[i])), total);
            }
            below += pairs[i + 1];
        }
        throw new IllegalStateException("a shape has counts, or it is none");
    }
}
