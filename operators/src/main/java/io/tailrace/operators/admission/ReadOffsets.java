package io.tailrace.operators.admission;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple5;

/**
 * How far each partition of a topic has been read, and how many records before the next one cannot be read any more. After an outage that
 * is longer than the topic's retention, or far behind, Kafka's consumer goes on at the first record that is left, and says nothing.
 *
 * <p>Offsets have gaps of other kinds as well: the markers of producers' transactions, and aborted ones. So the topic is asked where it begins: for the
 * first record of a partition after a start if a gap lies before it, for others if the gap is longer than a marker. For a minute after a gap that was no
 * loss, only a gap more than twice as long is asked about: retention removes many records at once. Of a partition of which nothing is known none is
 * lost. Allocates nothing for a record.
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
    private String identity;
    private long recordsBefore;
    private long[] next = {};
    private long[] passed = {};
    private boolean[] begun = {};
    private long[] askedAt = {};
    /** For a minute, gaps no longer than this are not asked about. */
    private long[] quietGap = {};
    /** Of all that were passed. */
    private long told;

    /**
     * Nothing was read yet.
     *
     * @param topic its name
     */
    ReadOffsets(String topic, FirstOffsets first) {
        this.topic = topic;
        this.first = first;
    }

    /** As a task of the job wrote it down: the parts of {@link #state}. Of what they all say of a partition the highest counts. */
    void restore(String of, int partition, long nextOffset, long records) {
        identity = of;
        if (partition == BEFORE) {
            recordsBefore = Math.max(recordsBefore, records);
        } else {
            makeRoom(partition);
            next[partition] = Math.max(next[partition], nextOffset);
            told += Math.max(0, records - passed[partition]);
            passed[partition] = Math.max(passed[partition], records);
        }
    }

    /**
     * It is read from now on.
     *
     * @param now which topic stands behind the name, as {@link TopicIdentity} says
     * @return false: what was restored is of another
     */
    boolean begin(String now) {
        boolean same = identity == null || identity.equals(now);
        if (!same) {
            recordsBefore += Arrays.stream(passed).sum();
            Arrays.fill(next, UNKNOWN);
            Arrays.fill(passed, 0);
            told = 0;
        }
        identity = now;
        return same;
    }

    /** The topic's name, which it is, a partition, the offset behind the last record of it that was read, and how many were read or lost. */
    List<Tuple5<String, String, Integer, Long, Long>> state() {
        List<Tuple5<String, String, Integer, Long, Long>> state = new ArrayList<>();
        state.add(Tuple5.of(topic, identity, BEFORE, 0L, recordsBefore));
        for (int partition = 0; partition < next.length; partition++) {
            if (next[partition] != UNKNOWN) {
                state.add(Tuple5.of(topic, identity, partition, next[partition], passed[partition]));
            }
        }
        return state;
    }

    /** Read or lost, of topics of this name before this one. */
    long recordsBefore() {
        return recordsBefore;
    }

    /** How many records were read or lost since this was asked last. What was restored was told before. */
    long untold() {
        long all = Arrays.stream(passed).sum();
        long untold = all - told;
        told = all;
        return untold;
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
        boolean isFirst = !begun[partition];
        begun[partition] = true;
        long gap = offset - expected;
        if (expected == UNKNOWN || gap < (isFirst ? 1 : 2) || isQuiet(partition, gap, nowMillis)) {
            return null;
        }
        long lost = Math.min(gap, first.of(topic, partition) - expected);
        askedAt[partition] = nowMillis;
        quietGap[partition] = lost > 0 ? 0 : 2 * gap;
        return lost <= 0 ? null : new LostRecords(topic, partition, expected, lost);
    }

    /** Never by a clock that has gone back since. */
    private boolean isQuiet(int partition, long gap, long nowMillis) {
        long since = nowMillis - askedAt[partition];
        return gap <= quietGap[partition] && since >= 0 && since < ASK_MILLIS;
    }

    private void makeRoom(int partition) {
        int before = next.length;
        if (partition >= before) {
            next = Arrays.copyOf(next, partition + 1);
            passed = Arrays.copyOf(passed, partition + 1);
            begun = Arrays.copyOf(begun, partition + 1);
            askedAt = Arrays.copyOf(askedAt, partition + 1);
            quietGap = Arrays.copyOf(quietGap, partition + 1);
            Arrays.fill(next, before, partition + 1, UNKNOWN);
        }
    }
}
