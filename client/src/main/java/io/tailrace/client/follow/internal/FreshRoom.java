package io.tailrace.client.follow.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What the fresh generations of all lanes of a process may take together, whatever model they are of: each lane has a limit of its own, and many lanes
 * at theirs would be more than a process's memory. Above the common limit the lane that was used longest ago, by a request or an answer of this worker, gives up
 * its oldest, then the next; a lane that is only heard of goes before all that are used. Nothing but drafts is lost by it: the job has the
 * answers, and a snapshot brings them. Safe for any number of threads.
 *
 * <p>Whoever has added to a lane says so afterwards, so at most what is just being added is held beyond the limit. Cost: a look at each lane an
 * answer; where room must be made, a lane gives up an eighth of what it holds at least, so that not every answer sorts a lane anew.
 */
final class FreshRoom {
    private static final Logger LOG = LoggerFactory.getLogger(FreshRoom.class);
    /** By how much they may take. */
    private static final Map<Long, FreshRoom> OF_PROCESS = new ConcurrentHashMap<>();

    private final long tokensMax;
    private final List<ServedLane> lanes = new CopyOnWriteArrayList<>();
    private final AtomicLong uses = new AtomicLong();
    private long timesFreed;

    /**
     * Room for so much.
     *
     * @param tokensMax of all lanes, each answer counted as {@link FreshGenerations#ANSWER_TOKENS} more than it has
     */
    FreshRoom(long tokensMax) {
        this.tokensMax = tokensMax;
    }

    /** One for all clients of this process that are given this limit. */
    static FreshRoom ofProcess(long tokensMax) {
        return OF_PROCESS.computeIfAbsent(tokensMax, FreshRoom::new);
    }

    /** Counts a lane from now on. */
    void join(ServedLane lane) {
        lanes.add(lane);
    }

    /** Counts these lanes no more. */
    void leave(Collection<ServedLane> gone) {
        lanes.removeAll(gone);
    }

    /** The number of a use of some lane: a later one has a higher one. */
    long nextUse() {
        return uses.incrementAndGet();
    }

    /** Some lane holds more than before. */
    void added() {
        if (held() > tokensMax) {
            free();
        }
    }

    /** What all lanes hold. */
    long held() {
        long held = 0;
        for (ServedLane lane : lanes) {
            held += lane.freshHeld();
        }
        return held;
    }

    private synchronized void free() {
        long excess = held() - tokensMax;
        Optional<ServedLane> longestAgo = usedLongestAgo();
        while (excess > 0 && longestAgo.isPresent()) {
            free(longestAgo.get(), excess);
            excess = held() - tokensMax;
            longestAgo = usedLongestAgo();
        }
    }

    private void free(ServedLane lane, long excess) {
        lane.giveUpFresh(Math.max(excess, lane.freshHeld() / FreshGenerations.FREED_SHARE));
        LOG.atLevel(Long.bitCount(++timesFreed) == 1 ? Level.WARN : Level.DEBUG)
                .log(
                        "answers that no snapshot has yet take more than {} tokens of all lanes together (for the {}. time):"
                                + " lane {}, used longest ago, gives up its oldest; it drafts from them once a snapshot has them",
                        tokensMax,
                        timesFreed,
                        lane.lane());
    }

    /** Of those that hold anything. */
    private Optional<ServedLane> usedLongestAgo() {
        return lanes.stream().filter(lane -> lane.freshHeld() > 0).min(Comparator.comparingLong(ServedLane::lastUse));
    }
}
