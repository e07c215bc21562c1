package io.tailrace.client.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** The oldest of each topic, at most so many of each: a topic that Kafka refuses hides no other one. */
    synchronized List<Spool.Entry> peek(int ofTopicMax) {
        List<Spool.Entry> oldest = new ArrayList<>();
        Map<String, Integer> ofTopic = new HashMap<>();
        for (Spool.Entry report : waiting) {
            if (ofTopic.merge(report.topic(), 1, Integer::sum) <= ofTopicMax) {
                oldest.add(report);
            }
        }
        return oldest;
    }

    /** The oldest of all; null: there is none. */
    synchronized Spool.Entry first() {
        return waiting.peekFirst();
    }

    /** These very ones, which were peeked, are safe elsewhere. */
    synchronized void remove(Collection<Spool.Entry> safe) {
        Set<Spool.Entry> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(safe);
        waiting.removeIf(report -> {
            boolean goes = gone.remove(report);
            bytes -= goes ? size(report) : 0;
            return goes;
        });
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
