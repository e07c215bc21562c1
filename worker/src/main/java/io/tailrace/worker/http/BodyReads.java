package io.tailrace.worker.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bodies that are being read, and what they hold together. Both are bounded: beyond a bound the bodies that have been read longest are given up.
 * A client that sends at once is done long before, so clients that send slowly are only in each other's way. Safe for any number of threads.
 */
final class BodyReads {
    private final int bodiesMax;
    private final long bytesMax;
    /** Those begun first in front. */
    private final Set<BodyRead> reads = new LinkedHashSet<>();

    private long bytes;

    BodyReads(int bodiesMax, long bytesMax) {
        this.bodiesMax = bodiesMax;
        this.bytesMax = bytesMax;
    }

    void began(BodyRead read) {
        List<BodyRead> longest;
        synchronized (this) {
            reads.add(read);
            longest = takeLongest();
        }
        longest.forEach(BodyRead::giveUp);
    }

    /** A body has that many bytes more. */
    void grew(BodyRead read, int more) {
        List<BodyRead> longest;
        synchronized (this) {
            if (reads.contains(read)) {
                bytes += more;
                read.held += more;
            }
            longest = takeLongest();
        }
        longest.forEach(BodyRead::giveUp);
    }

    synchronized void ended(BodyRead read) {
        if (reads.remove(read)) {
            bytes -= read.held;
        }
    }

    private List<BodyRead> takeLongest() {
        List<BodyRead> longest = new ArrayList<>();
        while (reads.size() > bodiesMax || (bytes > bytesMax && !reads.isEmpty())) {
            BodyRead first = reads.iterator().next();
            reads.remove(first);
            bytes -= first.held;
            longest.add(first);
        }
        return longest;
    }
}
