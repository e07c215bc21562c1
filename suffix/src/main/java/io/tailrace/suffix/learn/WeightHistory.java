package io.tailrace.suffix.learn;

import java.util.ArrayList;
import java.util.List;

/**
 * How weights stood over time, in bounded memory: the whole past stays reachable, the longer ago the coarser. Not thread-safe.
 *
 * <p><b>Idea.</b> Moments are noted every {@value #SPACING_MILLIS} ms. When there are too many the one goes that is missed least: whose
 * neighbours are closest together, measured by how long ago the younger of them was. So a minute's gap is a lot just now and nothing
 * in what was an hour ago.
 *
 * <p><b>Bound.</b> Let <i>s</i> be the spacing, <i>T</i> the time from the first moment to the last, <i>N</i> the most moments. When one of
 * <i>N</i> + 1 goes, its neighbours are <i>r</i> times the younger one's age (plus <i>s</i>) apart, and no other's are less. So ages grow by 1 + <i>r</i>
 * every two moments: (1 + <i>r</i>)<sup>N/2</sup> &lt;= (<i>T</i> + <i>s</i>) / <i>s</i>. What is taken for a time is therefore never younger than that, and older than the
 * last note up to it, of age <i>a</i>, by at most <i>r</i> (<i>a</i> + <i>s</i>) with <i>r</i> = ((<i>T</i> + <i>s</i>) / <i>s</i>)<sup>2/N</sup> - 1: with 64 moments a fifth of the age
 * after an hour, a third after a day, a half after a month.
 *
 * <p><b>Cost.</b> One copy of the weights a moment; a note looks at all moments once.
 */
final class WeightHistory {
    static final long SPACING_MILLIS = 10_000;

    private final int momentsMax;
    /** Never none, oldest first; a moment's weights are never written to. */
    private final List<Moment> moments = new ArrayList<>();

    private record Moment(long atMillis, float[] weights) {}

    /** A history that begins now. */
    WeightHistory(int momentsMax, long nowMillis, float[] weights) {
        this(momentsMax);
        moments.add(new Moment(nowMillis, weights.clone()));
    }

    private WeightHistory(int momentsMax) {
        if (momentsMax < 2) {
            throw new IllegalArgumentException("momentsMax must be at least 2, got " + momentsMax);
        }
        this.momentsMax = momentsMax;
    }

    /** Whether the last moment is long enough ago. */
    boolean isDue(long nowMillis) {
        return nowMillis >= last().atMillis + SPACING_MILLIS;
    }

    /** Notes how the weights stand; a clock that was set back stands still until it is as late again. */
    void note(long nowMillis, float[] weights) {
        moments.add(new Moment(Math.max(nowMillis, last().atMillis), weights.clone()));
        thinTo(momentsMax);
    }

    /** Keeps so many moments, at least two: the first, the last, and those between that are missed most. */
    void thinTo(int most) {
        while (moments.size() > most) {
            moments.remove(leastMissed());
        }
    }

    int size() {
        return moments.size();
    }

    /** The weights of the last moment; not to be written to. */
    float[] latest() {
        return last().weights;
    }

    /** The weights at the last moment up to that time, or at the first; not to be written to. */
    float[] at(long millis) {
        return moments.get(before(millis)).weights;
    }

    /** The history since that time, told as if the weights had been these then. */
    WeightHistory rebased(float[] weights, long sinceMillis) {
        WeightHistory retold = new WeightHistory(momentsMax);
        float[] base = at(sinceMillis);
        for (Moment moment : moments.subList(before(sinceMillis), moments.size())) {
            retold.moments.add(new Moment(moment.atMillis, moved(moment.weights, base, weights)));
        }
        return retold;
    }

    private Moment last() {
        return moments.get(moments.size() - 1);
    }

    private int before(long millis) {
        int at = moments.size() - 1;
        while (at > 0 && moments.get(at).atMillis > millis) {
            at--;
        }
        return at;
    }

    private int leastMissed() {
        int least = 1;
        for (int at = 2; at < moments.size() - 1; at++) {
            least = gapWithout(at) < gapWithout(least) ? at : least;
        }
        return least;
    }

    private double gapWithout(int at) {
        long younger = moments.get(at + 1).atMillis;
        double age = last().atMillis - younger + SPACING_MILLIS;
        return (younger - moments.get(at - 1).atMillis) / age;
    }

    private static float[] moved(float[] weights, float[] from, float[] to) {
        float[] moved = new float[weights.length];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = to[i] + (weights[i] - from[i]);
        }
        return moved;
    }
}
