package io.tailrace.operators.publishing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which versions of a lane go when there are more than may be kept: those that are missed least.
 *
 * <p><b>Idea.</b> Who goes back by a minute cares about seconds, who goes back by a day about hours: gaps between versions may be wide in proportion to
 * their age. So not the oldest goes, but the one whose neighbours are nearest to each other by that measure: least is
 * {@code (age of the older one + 1 s) / (age of the younger one + 1 s)}, ages beyond the limit counted as the limit. Of the newest half none goes, since workers may be
 * fetching them; nor the last version of each of the policies that were live last, an eighth of the number, to which one goes back from a bad
 * policy; nor the oldest, until it is past the age limit. Versions that are held (pinned, or served by a live worker) never go; they count beside the limit.
 *
 * <p><b>Promise.</b> Whatever the times of announcements, for each version that is gone and not past its age a younger one is there whose age is the same but for the
 * factor {@link #gapMax}: let k be the versions that may go, at least {@link #rungs}. The gaps that they would leave cover the time up to the age limit at
 * most twice, so the least is at most the k-th root of its square; and a gap only shrinks, in proportion, as it ages. {@code VersionSpacingTest} has the figures of the defaults.
 *
 * <p>Cost: one pass over the versions for each that goes. Knows no clock; a version's number is the time at which it was announced.
 */
final class VersionSpacing {
    /** Ages that differ by less are alike. */
    static final long GRAIN_MILLIS = 1_000;

    private final int versionsMax;
    private final long ageMillisMax;

    /** @param held never goes */
    record Version(long number, long policy, boolean held) {}

    VersionSpacing(int versionsMax, long ageMillisMax) {
        this.versionsMax = versionsMax;
        this.ageMillisMax = ageMillisMax;
    }

    /** So many of the newest are all kept. */
    int newestKept() {
        return Math.max(Math.min(versionsMax, 2), versionsMax / 2);
    }

    /** Of so many policies the last version is kept, beside those of the newest versions. */
    int policiesKept() {
        return versionsMax / 8;
    }

    /** What is left for older versions; 0: only the newest are kept. */
    int rungs() {
        return versionsMax - newestKept() - policiesKept();
    }

    /** The promise: the age of what is gone over that of the next younger version that is there, in seconds and one more. */
    double gapMax() {
        double times = (double) (ageMillisMax + GRAIN_MILLIS) / GRAIN_MILLIS;
        return rungs() == 0 ? Double.POSITIVE_INFINITY : Math.exp(2 * Math.log(times) / rungs());
    }

    /**
     * The versions that go now: what is past its age, then one after the other what is too much.
     *
     * @param versions oldest first; the last, which is the announced one, stays
     */
    List<Long> excess(List<Version> versions, long nowMillis) {
        List<Version> kept = new ArrayList<>(versions);
        List<Long> excess = new ArrayList<>();
        for (Version version : versions.subList(0, versions.size() - 1)) {
            if (!version.held && version.number < nowMillis - ageMillisMax) {
                kept.remove(version);
                excess.add(version.number);
            }
        }
        long free = kept.stream().filter(version -> !version.held).count();
        for (; free > versionsMax; free--) {
            excess.add(kept.remove(leastMissed(kept, nowMillis)).number);
        }
        return excess;
    }

    /** The oldest of those that leave the smallest gap. */
    private int leastMissed(List<Version> kept, long nowMillis) {
        boolean[] lastOfPolicy = lastOfPolicies(kept);
        int least = -1;
        double leastGap = Double.POSITIVE_INFINITY;
        for (int i = Math.min(rungs(), 1); i < kept.size() - newestKept(); i++) {
            double gap = rungs() == 0 ? 0 : gap(kept.get(i - 1), kept.get(i + 1), nowMillis);
            if (gap < leastGap && !kept.get(i).held && !lastOfPolicy[i]) {
                least = i;
                leastGap = gap;
            }
        }
        return least;
    }

    private boolean[] lastOfPolicies(List<Version> kept) {
        boolean[] last = new boolean[kept.size()];
        Set<Long> policies = new HashSet<>();
        int room = policiesKept();
        for (int i = kept.size() - 1; i >= 0 && room > 0; i--) {
            if (policies.add(kept.get(i).policy) && i < kept.size() - newestKept()) {
                last[i] = true;
                room--;
            }
        }
        return last;
    }

    private double gap(Version older, Version younger, long nowMillis) {
        return (double) grainedAge(older, nowMillis) / grainedAge(younger, nowMillis);
    }

    /** A clock that was set back makes none younger than now. */
    private long grainedAge(Version version, long nowMillis) {
        return Math.max(0, Math.min(ageMillisMax, nowMillis - version.number)) + GRAIN_MILLIS;
    }
}
