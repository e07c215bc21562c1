package io.tailrace.bench.replay;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.lane.FreshIndex;
import io.tailrace.suffix.lane.LaneIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * A lane as one worker sees it, without a job: each finished response is found at once among the worker's fresh ones; every
 * {@value #ANNOUNCE_REQUESTS} requests a snapshot takes them over into its newest part, which in turn moves into the older
 * ones, at most three, neighbours merged as the planner merges segments. All parts are in memory.
 */
final class ReplayLane {
    static final int ANNOUNCE_REQUESTS = 32;
    /** The newest part holds at most this share of the older ones before it moves to them. */
    private static final int NEWEST_SHARE = 8;

    private static final int NEWEST_REQUESTS_MIN = 128;
    private static final int OLDER_MAX = 3;
    private static final int GROWTH = 3;

    private final List<List<int[]>> older = new ArrayList<>();
    private final List<OccurrenceIndex> olderIndexes = new ArrayList<>();
    private final List<int[]> newest = new ArrayList<>();
    private final List<int[]> fresh = new ArrayList<>();
    private FreshIndex newestIndex;
    private FreshIndex freshIndex = emptyIndex();
    private long requests;

    /** What a draft looks into now. */
    LaneIndex index() {
        return new LaneIndex(olderIndexes, newestIndex, fresh.isEmpty() ? null : freshIndex);
    }

    /** Adds a finished response. */
    void add(int[] response) {
        fresh.add(response);
        freshIndex.add(response, ++requests);
        if (fresh.size() == ANNOUNCE_REQUESTS) {
            announce();
        }
    }

    private void announce() {
        newest.addAll(fresh);
        fresh.clear();
        freshIndex = emptyIndex();
        int olderRequests = older.stream().mapToInt(List::size).sum();
        if (newest.size() > Math.max(NEWEST_REQUESTS_MIN, olderRequests / NEWEST_SHARE)) {
            moveToOlder();
        }
        newestIndex = newest.isEmpty() ? null : indexOf(newest);
    }

    /** All but the last announced requests move. */
    private void moveToOlder() {
        List<int[]> moving = newest.subList(0, newest.size() - ANNOUNCE_REQUESTS);
        addOlder(new ArrayList<>(moving));
        moving.clear();
    }

    private void addOlder(List<int[]> part) {
        List<int[]> merged = part;
        while (!older.isEmpty()
                && (older.size() == OLDER_MAX || older.get(older.size() - 1).size() < GROWTH * merged.size())) {
            List<int[]> joined = new ArrayList<>(older.remove(older.size() - 1));
            olderIndexes.remove(olderIndexes.size() - 1);
            joined.addAll(merged);
            merged = joined;
        }
        older.add(merged);
        olderIndexes.add(indexOf(merged));
    }

    private static FreshIndex indexOf(List<int[]> responses) {
        FreshIndex index = emptyIndex();
        for (int[] response : responses) {
            index.add(response, 0);
        }
        return index;
    }

    private static FreshIndex emptyIndex() {
        return new FreshIndex(Integer.MAX_VALUE);
    }
}
