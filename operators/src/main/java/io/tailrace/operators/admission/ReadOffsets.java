package io.tailrace.operators.admission;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple4;

/**
 * How far each partition of topic generations has been read, and how many records before the next one cannot be read any more. After an outage that
 * is longer than the topic's retention, or far behind, Kafka's consumer goes on at the first record that is left, and says nothing.
 *
 * <p>Offsets have gaps of other kinds as well: the markers of producers' transactions, and aborted ones. So the topic is asked where it begins: for the
 * first record of a partition after a start if a gap lies before it, for others if the gap is longer than a marker, and at most once a minute. Of a
 * partition of which nothing is known none is lost. Allocates nothing for a record.
 *
 * <p>Offsets are of one topic. In another Kafka, or where the topic was made anew, they begin anew; how many records there were before is kept.
 */
final class ReadOffsets {
    static final long ASK_MILLIS = 60_000;
    private static final long UNKNOWN = -1;
    /** Stands for all partitions of topics that were left. */
    private static final int BEFORE = -1;

    private final String topic;
    private final FirstOffsets first;
    private long recordsBefore;
    private long[] next = {};
    private long[] passed = {};
    private long[] askNotBefore = {};

    /** @param topic which topic is read now, as {@link TopicIdentity} says */
    ReadOffsets(String topic, FirstOffsets first) {
        this.topic = topic;
        this.first = first;
    }

    /**
     * As other tasks of the job wrote it down, too: of what they say of a partition the highest counts.
     *
     * @return false: it is of another topic
     */
    boolean restore(Iterable<Tuple4<String, Integer, Long, Long>> state) {
        boolean same = true;
        for (Tuple4<String, Integer, Long, Long> partition : state) {
            same &= partition.f0.equals(topic);
            if (partition.f1 == BEFORE) {
                recordsBefore = Math.max(recordsBefore, partition.f3);
            } else {
                makeRoom(partition.f1);
                next[partition.f1] = Math.max(next[partition.f1], partition.f2);
                passed[partition.f1] = Math.max(passed[partition.f1], partition.f3);
            }
        }
        if (!same) {
            recordsBefore += Arrays.stream(passed).sum();
            Arrays.fill(next, UNKNOWN);
            Arrays.fill(passed, 0);
        }
        return same;
    }

    /** The topic, a partition, the offset behind the last record of it that was read, and how many were read or lost. */
    List<Tuple4<String, Integer, Long, Long>> state() {
        List<Tuple4<String, Integer, Long, Long>> state = new ArrayList<>();
        state.add(Tuple4.of(topic, BEFORE, 0L, recordsBefore));
        for (int partition = 0; partition < next.length; partition++) {
            if (next[partition] != UNKNOWN) {
                state.add(Tuple4.of(topic, partition, next[partition], passed[partition]));
            }
        }
        return state;
    }

    /** Read or lost, of topics before this one. */
    long recordsBefore() {
        return recordsBefore;
    }

    /** A record is read; those right before it that retention has removed, or null. */
    LostRecords lostBefore(int partition, long offset, long nowMillis) throws IOException {
        makeRoom(partition);
        LostRecords lost = gapBefore(partition, offset, nowMillis);
        passed[partition] += 1 + (lost == null ? 0 : lost.records());
        return lost;
    }

    private LostRecords gapBefore(int partition, long offset, long nowMillis) throws IOException {
        long expected = next[partition];
        next[partition] = offset + 1;
        boolean isFirst = askNotBefore[partition] == Long.MIN_VALUE;
        if (isFirst) {
            askNotBefore[partition] = nowMillis;
        }
        long gap = offset - expected;
        if (expected == UNKNOWN || gap < (isFirst ? 1 : 2) || nowMillis < askNotBefore[partition]) {
            return null;
        }
        askNotBefore[partition] = nowMillis + ASK_MILLIS;
        long lost = Math.min(gap, first.of(partition) - expected);
        return lost <= 0 ? null : new LostRecords(partition, expected, lost);
    }

    private void makeRoom(int partition) {
        int before = next.length;
        if (partition >= before) {
            next = Arrays.copyOf(next, partition + 1);
            passed = Arrays.copyOf(passed, partition + 1);
            askNotBefore = Arrays.copyOf(askNotBefore, partition + 1);
            Arrays.fill(next, before, partition + 1, UNKNOWN);
            Arrays.fill(askNotBefore, before, partition + 1, Long.MIN_VALUE);
        }
    }
}
