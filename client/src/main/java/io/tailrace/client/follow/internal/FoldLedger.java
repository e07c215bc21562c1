package io.tailrace.client.follow.internal;

import io.tailrace.schemas.RequestHash;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of a lane's fresh generations a snapshot holds by now. One counts as folded when a loaded manifest names its
 * completion time, or holds a generation completed more than {@link #FOLDED_AFTER_MILLIS} later: the job folds within seconds, so
 * by then it was folded, rejected as a repeat, or left out where a manifest thins its times. Time passing alone folds nothing:
 * while the job is down the worker keeps drafting from what it has. A generation of the same millisecond that is not here
 * may be mistaken for one that is; that costs one answer for the seconds until its own snapshot. Not thread-safe.
 */
final class FoldLedger {
    /** Well beyond the seconds that folding takes. */
    static final long FOLDED_AFTER_MILLIS = 60_000;
    /** Beyond it the oldest go, from the index, too: what nobody can find to delete must not be drafted from. */
    static final int ENTRIES_MAX = 1 << 16;
    /** So many requests that are gone are still known, so that one that comes again late is not taken up again. */
    static final int GONE_MAX = 4_096;
    /** Says that nothing is to be dropped. */
    static final long NOTHING = Long.MIN_VALUE;

    private final List<Entry> entries = new ArrayList<>();
    /** Those of the entries, and those gone last. */
    private final Set<RequestHash> known = new LinkedHashSet<>();

    private long certain = NOTHING;
    private long tokens;

    private static final class Entry {
        private long completedAt;
        private final RequestHash request;
        private final int tokens;
        private boolean folded;

        Entry(long completedAt, RequestHash request, int tokens) {
            this.completedAt = completedAt;
            this.request = request;
            this.tokens = tokens;
        }
    }

    /** Returns the time until which the index, which has the generation already, must drop, or {@link #NOTHING}. */
    long add(long completedAt, RequestHash request, int tokensOfIt) {
        int at = entries.size();
        while (at > 0 && entries.get(at - 1).completedAt > completedAt) {
            at--;
        }
        entries.add(at, new Entry(completedAt, request, tokensOfIt));
        tokens += tokensOfIt;
        known.add(request);
        long dropUntil = entries.size() > ENTRIES_MAX ? dropThrough(ENTRIES_MAX / 2 - 1) : NOTHING;
        while (known.size() > entries.size() + GONE_MAX) {
            known.remove(known.iterator().next());
        }
        return dropUntil;
    }

    /**
     * The oldest go until so much is gone, or all; returns the time until which the index must drop, or {@link #NOTHING}.
     *
     * @param tokensLess what is to go
     * @param besides what each generation counts beside its tokens
     */
    long dropOldest(long tokensLess, int besides) {
        long gone = 0;
        int count = 0;
        while (gone < tokensLess && count < entries.size()) {
            gone += entries.get(count++).tokens + besides;
        }
        return count == 0 ? NOTHING : dropThrough(count - 1);
    }

    /** Whether this request is here, or was lately. */
    boolean knows(RequestHash request) {
        return known.contains(request);
    }

    /** Whether a snapshot holds everything that was completed then, so that it need not be added. */
    boolean isPast(long completedAt) {
        return completedAt < certain;
    }

    /**
     * Marks what these completion times fold; returns the time until which the index may drop, or {@link #NOTHING}. A time that is yet to come says
     * nothing of other generations.
     */
    long fold(long[] completionTimes, long nowMillis) {
        long newest = Long.MIN_VALUE;
        for (long time : completionTimes) {
            markOne(time);
            newest = Math.max(newest, Math.min(time, nowMillis));
        }
        certain = newest == Long.MIN_VALUE ? certain : Math.max(certain, newest - FOLDED_AFTER_MILLIS);
        int count = 0;
        while (count < entries.size() && (entries.get(count).folded || entries.get(count).completedAt < certain)) {
            count++;
        }
        return dropFirst(count);
    }

    /**
     * If any is stamped later than now, by more than clocks differ, all that are later than now count as completed now; returns whether any is, so that
     * the index must follow.
     */
    boolean cap(long nowMillis) {
        certain = Math.min(certain, nowMillis - FOLDED_AFTER_MILLIS);
        int size = entries.size();
        if (size == 0 || entries.get(size - 1).completedAt <= nowMillis + VersionChoice.CLOCK_SKEW_MILLIS) {
            return false;
        }
        entries.subList(firstAfter(nowMillis), size).forEach(entry -> entry.completedAt = nowMillis);
        return true;
    }

    /** What was completed up to its millisecond goes with it, since the index drops by time. */
    long forget(RequestHash request) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).request.equals(request)) {
                return dropThrough(i);
            }
        }
        return NOTHING;
    }

    void forgetUntil(long millis) {
        removeFirst(firstAfter(millis));
    }

    int size() {
        return entries.size();
    }

    /** Of all entries. */
    long tokens() {
        return tokens;
    }

    private void removeFirst(int count) {
        List<Entry> gone = entries.subList(0, count);
        for (Entry entry : gone) {
            tokens -= entry.tokens;
        }
        gone.clear();
    }

    /** One named time folds one generation. */
    private void markOne(long time) {
        for (int i = firstAfter(time) - 1; i >= 0 && entries.get(i).completedAt == time; i--) {
            if (!entries.get(i).folded) {
                entries.get(i).folded = true;
                return;
            }
        }
    }

    /** Generations of the same millisecond go together or not at all, unless all of them may go. */
    private long dropFirst(int count) {
        int end = count;
        while (end > 0 && end < entries.size() && entries.get(end).completedAt == entries.get(end - 1).completedAt) {
            end--;
        }
        if (end == 0) {
            return NOTHING;
        }
        long until = entries.get(end - 1).completedAt;
        removeFirst(end);
        return until;
    }

    /** An entry goes, with all before it and all of its millisecond. */
    private long dropThrough(int last) {
        long until = entries.get(last).completedAt;
        forgetUntil(until);
        return until;
    }

    private int firstAfter(long time) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(middle).completedAt <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
