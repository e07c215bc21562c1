package io.tailrace.suffix.learn;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * What a worker's mixer has learned by itself, while policies come and go. Not thread-safe.
 *
 * <p><b>A new policy.</b> Its weights were learned from what was completed before a stated time, this worker's traffic among it. So
 * what the worker learned before that time is in the policy, and what it learned since is not: the weights after the change are the
 * policy's plus the difference between the local weights now and as they stood at that time, as far as {@link WeightHistory} knows
 * that. From then on the past is told as if the policy had been there at that time, so that the next change takes away no more than
 * it brings.
 *
 * <p><b>A policy that comes back,</b> by a rollback, a pin or an unpin, goes on where it was left: the last {@value #HELD_MAX}
 * policies are held with what was learned under each. What was learned under the one between stays with that one. It corrects that
 * one's weights: if these were bad it is several units large, and wrong for any others. If they were not, the worker does without
 * what it learned meanwhile until that policy comes back, or the job's next one, which was learned from the same traffic.
 *
 * <p><b>A new policy's forerunner</b> is the one that it takes over from: the policy in place. But not where that one was learned
 * later, so that this is a way back, to a policy never held here; and not where the weights under it were far from the new ones (by
 * {@value #FAR}, root mean square) and those under another held one less than half as far, as when the job has replaced bad weights
 * by itself. Where there is none, the policy is taken as it is.
 *
 * <p><b>Cost.</b> {@value #MOMENTS_MAX} copies of the weights (20 KB each) for the policy in place, {@value #LEFT_MOMENTS_MAX} for
 * each of the others.
 */
public final class LocalWeights {
    static final int MOMENTS_MAX = 64;
    static final int LEFT_MOMENTS_MAX = 8;
    static final int HELD_MAX = 4;
    /** Two workers' weights, each learned from half of 1,200 recorded requests, were 0.02 to 0.05 apart on five workloads; random ones are 1 away. */
    static final double FAR = 0.5;

    private final int momentsMax;
    private final int leftMomentsMax;
    /** The one in place last, before it the others, those left longest ago first. */
    private final Deque<HeldPolicy> held = new ArrayDeque<>();

    /** A policy that is or was in place here, and how the local weights stood under it. */
    private record HeldPolicy(float[] policy, long learnedAtMillis, WeightHistory history) {}

    /** Begins with weights that were there before any policy. */
    public LocalWeights(float[] first, long nowMillis) {
        this(first, nowMillis, MOMENTS_MAX, LEFT_MOMENTS_MAX);
    }

    LocalWeights(float[] first, long nowMillis, int momentsMax, int leftMomentsMax) {
        this.momentsMax = momentsMax;
        this.leftMomentsMax = leftMomentsMax;
        held.addLast(new HeldPolicy(first.clone(), Long.MIN_VALUE, new WeightHistory(momentsMax, nowMillis, first)));
    }

    /** Whether the weights were noted long enough ago. */
    public boolean isDue(long nowMillis) {
        return held.getLast().history.isDue(nowMillis);
    }

    /** Notes the weights, if that is due. */
    public void remember(long nowMillis, float[] weights) {
        if (isDue(nowMillis)) {
            held.getLast().history.note(nowMillis, weights);
        }
    }

    /**
     * A policy is put in place; the weights to go on with.
     *
     * @param policy its weights
     * @param learnedAtMillis what they were learned from was completed before
     * @param local the weights as they stand here now
     */
    public float[] take(float[] policy, long learnedAtMillis, long nowMillis, float[] local) {
        HeldPolicy left = held.getLast();
        if (Arrays.equals(left.policy, policy)) {
            return local.clone();
        }
        left.history.note(nowMillis, local);
        HeldPolicy taken = comeBack(policy).orElseGet(() -> taken(policy.clone(), learnedAtMillis, nowMillis));
        left.history.thinTo(leftMomentsMax);
        held.addLast(taken);
        if (held.size() > HELD_MAX) {
            held.removeFirst();
        }
        return taken.history.latest().clone();
    }

    private Optional<HeldPolicy> comeBack(float[] policy) {
        Optional<HeldPolicy> back =
                held.stream().filter(each -> Arrays.equals(each.policy, policy)).findFirst();
        back.ifPresent(held::remove);
        return back;
    }

    private HeldPolicy taken(float[] policy, long learnedAtMillis, long nowMillis) {
        HeldPolicy forerunner = forerunner(policy, learnedAtMillis);
        WeightHistory history = forerunner == null
                ? new WeightHistory(momentsMax, nowMillis, policy)
                : forerunner.history.rebased(policy, learnedAtMillis);
        return new HeldPolicy(policy, learnedAtMillis, history);
    }

    /** Null: none. */
    private HeldPolicy forerunner(float[] policy, long learnedAtMillis) {
        HeldPolicy nearest = null;
        double distance = Double.POSITIVE_INFINITY;
        for (Iterator<HeldPolicy> lastFirst = held.descendingIterator(); lastFirst.hasNext(); ) {
            HeldPolicy each = lastFirst.next();
            if (each.learnedAtMillis <= learnedAtMillis) {
                double other = WeightMean.distance(policy, each.history.at(learnedAtMillis));
                if (nearest == null || (distance > FAR && other < distance / 2)) {
                    nearest = each;
                    distance = other;
                }
            }
        }
        return nearest;
    }
}
