package io.tailrace.client.budget;

/**
 * What drafting has earned lately, by the clock, and so what may be risked on finding out whether it could earn more.
 *
 * <p><b>Idea.</b> Each step is settled when it is over: the time that its tokens would have taken one by one, less the time that it and its
 * drafts took. A share of all time may go into looking (drafts that are verified only if they promise something), and as much
 * into trying sizes; it is a tenth of the share that drafting saved over the last {@value #STEPS} steps or so, within {@link
 * #SHARE_MIN} and {@link #SHARE_MAX}. So where nothing repeats next to nothing is lost, and what begins to pay is soon looked at more closely.
 *
 * <p>A pause that is no property of the step counts as half as long again as the step should have taken. One thread.
 */
final class Earnings {
    static final int STEPS = 512;
    static final double SHARE_MIN = 0.0005;
    static final double SHARE_MAX = 0.004;
    private static final double RISKED = 0.1;
    private static final double OUTLIER = 1.5;

    private double timeNanos;
    private double savedNanos;

    /**
     * A step is over.
     *
     * @param usualNanos what it was thought to take
     * @param nanos what it took
     * @param plainNanos what its tokens would have taken one by one; 0: it verified no drafts
     * @param draftNanos time of drafting
     * @return what it took, without a pause
     */
    double settle(double usualNanos, double nanos, double plainNanos, double draftNanos) {
        double took = Math.max(usualNanos / OUTLIER, Math.min(OUTLIER * usualNanos, nanos));
        double saved = plainNanos == 0 ? 0 : plainNanos - took;
        add(took + draftNanos, saved - draftNanos);
        return took;
    }

    /** Of all time, what may go into looking, and once more into trying. Begins with the most. */
    double share() {
        double earned = timeNanos == 0 ? SHARE_MAX : RISKED * savedNanos / timeNanos;
        return Math.max(SHARE_MIN, Math.min(SHARE_MAX, earned));
    }

    private void add(double took, double saved) {
        if (timeNanos == 0) {
            timeNanos = took;
            savedNanos = took * SHARE_MAX / RISKED;
        }
        timeNanos += (took - timeNanos) / STEPS;
        savedNanos += (saved - savedNanos) / STEPS;
    }
}
