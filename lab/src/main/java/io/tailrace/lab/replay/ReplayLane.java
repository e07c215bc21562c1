package io.tailrace.lab.replay;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * A lane as workers see it, without a job, all in memory: what is taken in is found at once among the fresh responses; every
 * {@value #ANNOUNCE_REQUESTS} responses a snapshot takes them over into its newest part, which in turn moves into the older
 * ones, at most three, neighbours merged so that sizes stay geometric. A batch of several goes into the newest part at once,
 * as an announcement brings what others answered.
 */
public final class ReplayLane {
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
    private FreshIndex newestIndex = emptyIndex();
    private FreshIndex freshIndex = emptyIndex();

    /** A lane that holds these responses already. */
    ReplayLane(List<int[]> warm) {
        if (!warm.isEmpty()) {
            addOlder(new ArrayList<>(warm));
        }
    }

    /** An empty lane. */
    public ReplayLane() {
        this(List.of());
    }

    /** What a draft looks into now. */
    public LaneIndex index() {
        return index(fresh.isEmpty() ? null : freshIndex);
    }

    /** The same, with a worker's own fresh responses instead of the lane's; null: none. */
    LaneIndex index(OccurrenceIndex ownFresh) {
        return new LaneIndex(olderIndexes, newest.isEmpty() ? null : newestIndex, ownFresh);
    }

    /** Takes in one response: it is among the fresh ones now. */
    public void add(int[] response) {
        fresh.add(response);
        freshIndex.add(response, 0);
        if (fresh.size() == ANNOUNCE_REQUESTS) {
            List<int[]> announced = List.copyOf(fresh);
            fresh.clear();
            freshIndex = emptyIndex();
            announce(announced);
        }
    }

    /** Takes in a batch: it is in the newest part now. */
    void announce(List<int[]> responses) {
        newest.addAll(responses);
        responses.forEach(response -> newestIndex.add(response, 0));
        int olderRequests = older.stream().mapToInt(List::size).sum();
        if (newest.size() > Math.max(NEWEST_REQUESTS_MIN, olderRequests / NEWEST_SHARE)) {
            moveToOlder(Math.min(newest.size(), Math.max(ANNOUNCE_REQUESTS, responses.size())));
        }
    }

    /** All but the last {@code kept} announced requests move. */
    private void moveToOlder(int kept) {
        List<int[]> moving = newest.subList(0, newest.size() - kept);
        if (!moving.isEmpty()) {
            addOlder(new ArrayList<>(moving));
            moving.clear();
            newestIndex = FreshIndex.of(newest);
        }
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
        olderIndexes.add(FreshIndex.of(merged));
    }

    private static FreshIndex emptyIndex() {
        return new FreshIndex(Integer.MAX_VALUE);
    }
}
