package io.tailrace.suffix.learn;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a worker's mixer has learned by itself, while policies come and go. Not thread-safe.
 *
 * <p><b>Idea.</b> A policy's weights were learned from what was completed before a stated time, this worker's traffic among it.
 * So what the worker learned before that time is in the policy, and what it learned since is not: the weights after a change
 * are the policy's plus the difference between the local weights now and as they stood at that time. For this the local weights
 * are remembered every {@value #SPACING_MILLIS} ms, at most {@value #MOMENTS_MAX} times, 10 KB each.
 *
 * <p><b>Invariant.</b> After {@link #rebase} the remembered weights are told as if the policy had been there from the start, so
 * that the next change takes away no more than it brings.
 */
public final class LocalWeights {
    static final long SPACING_MILLIS = 10_000;
    static final int MOMENTS_MAX = 64;

    private final Deque<Moment> moments = new ArrayDeque<>();

    private record Moment(long atMillis, float[] weights) {}

    /** Whether the last time is long enough ago. */
    public boolean isDue(long nowMillis) {
        return moments.isEmpty() || nowMillis >= moments.peekLast().atMillis + SPACING_MILLIS;
    }

    /** Remembers the weights, if that is due. */
    public void remember(long nowMillis, float[] weights) {
        if (!isDue(nowMillis)) {
            return;
        }
        if (moments.size() == MOMENTS_MAX) {
            moments.removeFirst();
        }
        moments.addLast(new Moment(nowMillis, weights.clone()));
    }

    /**
     * The policy's weights with what was learned here since they were learned there.
     *
     * @param policy the new policy's weights
     * @param learnedAtMillis what they were learned from was completed before
     * @param local the weights as they stand here now
     */
    public float[] rebase(float[] policy, long learnedAtMillis, float[] local) {
        float[] base = baseAt(learnedAtMillis, local);
        float[] rebased = moved(local, base, policy);
        Deque<Moment> retold = new ArrayDeque<>();
        moments.forEach(moment -> retold.addLast(new Moment(moment.atMillis, moved(moment.weights, base, policy))));
        moments.clear();
        moments.addAll(retold);
        return rebased;
    }

    /** The youngest weights that are no younger than that; the oldest ones there are otherwise. Older ones are forgotten. */
    private float[] baseAt(long millis, float[] local) {
        if (moments.isEmpty()) {
            return local.clone();
        }
        Moment base = moments.peekFirst();
        while (!moments.isEmpty() && moments.peekFirst().atMillis <= millis) {
            base = moments.removeFirst();
        }
        moments.addFirst(base);
        return base.weights;
    }

    private static float[] moved(float[] weights, float[] from, float[] to) {
        float[] moved = new float[weights.length];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = to[i] + (weights[i] - from[i]);
        }
        return moved;
    }
}
