package io.tailrace.suffix.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Decides which segments of a lane are merged at an announcement, so that a snapshot has one newest segment and at most
 * {@value #OLDER_MAX} older ones whatever the number of shards and flushes. Pure: names and sizes in, groups of names out.
 *
 * <ul>
 *   <li>The level-0 segments are folded into the newest one.
 *   <li>A newest segment that has reached its size or age graduates: it becomes the youngest of the older ones, and the
 *       level-0 segments are the new newest.
 *   <li>Older segments grow geometrically: neighbours are merged, youngest first, while the older of the two is less than
 *       {@value #GROWTH} times the younger, or while there are too many.
 *   <li>A segment that must be rewritten (it holds something deleted) is rewritten even if it is merged with nothing.
 * </ul>
 */
public final class SegmentPlanner {
    /** Older segments of a snapshot at most. */
    public static final int OLDER_MAX = 3;

    private static final int GROWTH = 3;

    private final long newestTokensMax;
    private final long newestAgeMillisMax;

    /**
     * A planner with these limits.
     *
     * @param newestTokensMax a newest segment of so many live tokens graduates
     * @param newestAgeMillisMax a newest segment begun so long ago graduates
     */
    public SegmentPlanner(long newestTokensMax, long newestAgeMillisMax) {
        if (newestTokensMax < 1 || newestAgeMillisMax < 1) {
            throw new IllegalArgumentException("newestTokensMax and newestAgeMillisMax must be >= 1, got "
                    + newestTokensMax + " and " + newestAgeMillisMax);
        }
        this.newestTokensMax = newestTokensMax;
        this.newestAgeMillisMax = newestAgeMillisMax;
    }

    /**
     * A segment as the planner sees it.
     *
     * @param name its SHA-256
     * @param liveTokens its size
     * @param begunAtMillis when its oldest part was flushed
     */
    public record Candidate(String name, long liveTokens, long begunAtMillis) {}

    /**
     * Segments that become one.
     *
     * @param names which, oldest first; at least one
     * @param liveTokens their size together
     * @param rewrite whether one of them must be rewritten
     */
    public record Group(List<String> names, long liveTokens, boolean rewrite) {
        public Group {
            names = List.copyOf(names);
        }

        /** Whether there is anything to do: a single segment that need not be rewritten stays as it is. */
        public boolean isMerge() {
            return names.size() > 1 || rewrite;
        }

        private Group with(Group younger) {
            List<String> all = new ArrayList<>(names);
            all.addAll(younger.names);
            return new Group(all, liveTokens + younger.liveTokens, rewrite || younger.rewrite);
        }
    }

    /**
     * The snapshot to come.
     *
     * @param older at most {@value SegmentPlanner#OLDER_MAX} groups, oldest first
     * @param newest the newest segment's group, or null if the lane has none
     */
    public record Plan(List<Group> older, Group newest) {
        public Plan {
            older = List.copyOf(older);
        }

        /** The groups that have to be merged or rewritten. */
        public List<Group> merges() {
            List<Group> merges = new ArrayList<>(older);
            if (newest != null) {
                merges.add(newest);
            }
            merges.removeIf(group -> !group.isMerge());
            return List.copyOf(merges);
        }
    }

    /**
     * Plans the next snapshot.
     *
     * @param older the last snapshot's older segments, oldest first
     * @param newest its newest segment, or null
     * @param level0 flushed segments that no snapshot holds yet, oldest first
     * @param rewrites names of segments that must be rewritten
     * @param nowMillis the time
     */
    public Plan plan(
            List<Candidate> older, Candidate newest, List<Candidate> level0, Set<String> rewrites, long nowMillis) {
        List<Group> olderGroups = new ArrayList<>();
        older.forEach(segment -> olderGroups.add(group(segment, rewrites)));
        Group newestGroup = newest == null ? null : group(newest, rewrites);
        if (newest != null && !level0.isEmpty() && graduates(newest, nowMillis)) {
            olderGroups.add(newestGroup);
            newestGroup = null;
            mergeNeighbours(olderGroups);
        }
        for (Candidate flushed : level0) {
            Group group = group(flushed, rewrites);
            newestGroup = newestGroup == null ? group : newestGroup.with(group);
        }
        while (olderGroups.size() > OLDER_MAX) {
            mergeYoungest(olderGroups);
        }
        return new Plan(olderGroups, newestGroup);
    }

    private boolean graduates(Candidate newest, long nowMillis) {
        return newest.liveTokens() >= newestTokensMax || nowMillis - newest.begunAtMillis() >= newestAgeMillisMax;
    }

    private static void mergeNeighbours(List<Group> groups) {
        while (groups.size() > OLDER_MAX || (groups.size() > 1 && !isGeometric(groups))) {
            mergeYoungest(groups);
        }
    }

    private static boolean isGeometric(List<Group> groups) {
        int last = groups.size() - 1;
        return groups.get(last - 1).liveTokens() >= GROWTH * groups.get(last).liveTokens();
    }

    private static void mergeYoungest(List<Group> groups) {
        Group younger = groups.remove(groups.size() - 1);
        Group elder = groups.remove(groups.size() - 1);
        groups.add(elder.with(younger));
    }

    private static Group group(Candidate segment, Set<String> rewrites) {
        return new Group(List.of(segment.name()), segment.liveTokens(), rewrites.contains(segment.name()));
    }
}
