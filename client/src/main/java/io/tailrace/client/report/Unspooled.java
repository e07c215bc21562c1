package io.tailrace.client.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Reports that the spool's disk did not take, in memory until Kafka has them or the disk takes them after all. What finds no room here is lost and
 * counted; a kill of the process loses what is here. Any number of threads add; one reads.
 */
final class Unspooled {
    /** Some thousand answers: long enough to see a broker's restart through, little beside a model. */
    static final long BYTES_MAX = 16 << 20;

    private static final int OVERHEAD_BYTES = 64;

    private final long bytesMax;
    private final Deque<Spool.Entry> waiting = new ArrayDeque<>();
    private long bytes;
    private long taken;
    private long lost;

    Unspooled(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** False if there is no room: the report is lost. */
    synchronized boolean add(Spool.Entry report) {
        taken++;
        if (bytes + size(report) > bytesMax) {
            lost++;
            return false;
        }
        waiting.addLast(report);
        bytes += size(report);
        return true;
    }

    /** The oldest, at most so many. */
    synchronized List<Spool.Entry> peek(int recordsMax) {
        List<Spool.Entry> oldest = new ArrayList<>(Math.min(recordsMax, waiting.size()));
        for (Spool.Entry report : waiting) {
            if (oldest.size() == recordsMax) {
                break;
            }
            oldest.add(report);
        }
        return oldest;
    }

    /** The oldest are safe elsewhere. */
    synchronized void advance(int count) {
        for (int i = 0; i < count; i++) {
            bytes -= size(waiting.removeFirst());
        }
    }

    /** These are safe elsewhere, counted from the oldest. */
    synchronized void remove(BitSet safe) {
        int end = safe.length();
        Deque<Spool.Entry> kept = new ArrayDeque<>();
        for (int i = 0; i < end; i++) {
            Spool.Entry report = waiting.removeFirst();
            if (safe.get(i)) {
                bytes -= size(report);
            } else {
                kept.addFirst(report);
            }
        }
        kept.forEach(waiting::addFirst);
    }

    /** Nobody will read any more: what still waits is lost. */
    synchronized int abandon() {
        int abandoned = waiting.size();
        lost += abandoned;
        waiting.clear();
        bytes = 0;
        return abandoned;
    }

    synchronized long pendingRecords() {
        return waiting.size();
    }

    /** Reports that the disk did not take since start, whatever became of them. */
    synchronized long taken() {
        return taken;
    }

    /** Those of them that neither Kafka nor the disk has, nor ever will. */
    synchronized long lost() {
        return lost;
    }

    private static long size(Spool.Entry report) {
        return (long) report.key().length + report.value().length + OVERHEAD_BYTES;
    }
}
