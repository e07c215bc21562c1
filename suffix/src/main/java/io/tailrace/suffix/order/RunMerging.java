package io.tailrace.suffix.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Makes one order of sorted runs and of documents that no run holds: the largest runs are merged, the two shortest first, after what is
 * left was sorted anew as one run. How many are worth merging is estimated from what a token costs by either way; many runs of one size
 * are quicker sorted.
 */
final class RunMerging {
    /** Relative costs of a token, measured (lab/results/index.md): sorting it, ... */
    private static final long SORT_COST = 100;
    /** ... passing it by in a merge, ... */
    private static final long PASS_COST = 8;
    /** ... and finding its place, if it is on the shorter side. */
    private static final long PLACE_COST = 75;

    private static final int MERGED_MAX = 16;

    private final TokenRanks ranks;

    RunMerging(TokenRanks ranks) {
        this.ranks = ranks;
    }

    /**
     * @param runs emptied: a run that has been merged is held by nothing
     * @param restStarts where documents start that no run holds, ascending
     */
    int[] order(List<SortedRun> runs, int[] restStarts) {
        List<SortedRun> largestFirst = new ArrayList<>(runs);
        runs.clear();
        largestFirst.sort(Comparator.comparingInt(SortedRun::length).reversed());
        int merged = worthMerging(largestFirst, tokens(restStarts));
        if (merged == 0) {
            largestFirst.clear();
            return new BackwardSort(ranks).sort();
        }
        List<SortedRun> inputs = new ArrayList<>(largestFirst.subList(0, merged));
        int[] unsorted = starts(largestFirst.subList(merged, largestFirst.size()), restStarts);
        largestFirst.clear();
        if (unsorted.length > 0) {
            inputs.add(sorted(unsorted));
        }
        return merged(inputs);
    }

    private int[] merged(List<SortedRun> inputs) {
        if (inputs.size() == 1) {
            return inputs.get(0).order();
        }
        PriorityQueue<SortedRun> queue = new PriorityQueue<>(Comparator.comparingInt(SortedRun::length));
        queue.addAll(inputs);
        inputs.clear();
        OrderMerge merge = new OrderMerge(ranks);
        while (queue.size() > 1) {
            queue.add(merge.merge(queue.remove(), queue.remove()));
        }
        return queue.remove().order();
    }

    private static int worthMerging(List<SortedRun> largestFirst, long restTokens) {
        long rest =
                restTokens + largestFirst.stream().mapToLong(SortedRun::length).sum();
        long least = rest * SORT_COST;
        int best = 0;
        List<Long> lengths = new ArrayList<>();
        for (int i = 0; i < Math.min(MERGED_MAX, largestFirst.size()); i++) {
            rest -= largestFirst.get(i).length();
            lengths.add((long) largestFirst.get(i).length());
            long cost = rest * SORT_COST + mergeCost(lengths, rest);
            if (cost <= least) {
                least = cost;
                best = i + 1;
            }
        }
        return best;
    }

    private static long mergeCost(List<Long> lengths, long rest) {
        PriorityQueue<Long> queue = new PriorityQueue<>(lengths);
        if (rest > 0) {
            queue.add(rest);
        }
        long cost = 0;
        while (queue.size() > 1) {
            long few = queue.remove();
            long many = queue.remove();
            cost += (few + many) * PASS_COST + few * PLACE_COST;
            queue.add(few + many);
        }
        return cost;
    }

    /** The documents sorted on their own. */
    private SortedRun sorted(int[] starts) {
        int[] rank = ranks.ranks();
        int length = 1 + (int) tokens(starts) + starts.length;
        int[] someRanks = new int[length];
        int[] places = new int[length];
        int to = 1;
        for (int start : starts) {
            for (int at = start; ranks.isToken(at); at++) {
                someRanks[to] = rank[at + 1];
                places[to++] = at;
            }
            to++;
        }
        int[] order = new BackwardSort(new TokenRanks(someRanks, ranks.distinct())).sort();
        for (int i = 0; i < order.length; i++) {
            order[i] = places[order[i] + 1];
        }
        return new SortedRun(order, starts);
    }

    private long tokens(int[] starts) {
        long tokens = 0;
        for (int start : starts) {
            int at = start;
            while (ranks.isToken(at)) {
                at++;
            }
            tokens += at - start;
        }
        return tokens;
    }

    private static int[] starts(List<SortedRun> runs, int[] others) {
        int[] all = others;
        for (SortedRun run : runs) {
            all = OrderMerge.joined(all, run.starts());
        }
        return all;
    }
}
