package io.tailrace.operators.admission;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple3;

/**
 * How far each partition of a topic has been read, and how many records before the next one cannot be read any more. After an outage that
 * is longer than the topic's retention, or far behind, Kafka's consumer goes on at the first record that is left, and says nothing.
 *
 * <p>Offsets have gaps of other kinds as well: the markers of producers' transactions, and aborted ones. So the topic is asked where it begins: for the
 * first record of a partition after a start if a gap lies before it, for others if the gap is longer than a marker, and at most once a minute. Of a
 * partition of which nothing is known none is lost. Allocates nothing for a record.
 */
final class ReadOffsets {
    static final long ASK_MILLIS = 60_000;
    private static final long UNKNOWN = -1;

    private final String topic;
    private final FirstOffsets first;
    private long[] next = {};
    private long[] askNotBefore = {};

    ReadOffsets(String topic, FirstOffsets first) {
        this.topic = topic;
        this.first = first;
    }

    /** As a task of the job wrote it down: of what they all say of a partition the highest counts. */
    void restore(int partition, long nextOffset) {
        makeRoom(partition);
        next[partition] = Math.max(next[partition], nextOffset);
    }

    /** By partition, the offset behind the last record that was read. */
    List<Tuple3<String, Integer, Long>> nextOffsets() {
        List<Tuple3<String, Integer, Long>> known = new ArrayList<>();
        for (int partition = 0; partition < next.length; partition++) {
            if (next[partition] != UNKNOWN) {
                known.add(Tuple3.of(topic, partition, next[partition]));
            }
        }
        return known;
    }

    /** A record is read; those right before it that retention has removed, or null. */
    LostRecords lostBefore(int partition, long offset, long nowMillis) throws IOException {
        makeRoom(partition);
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
        long lost = Math.min(gap, first.of(topic, partition) - expected);
        return lost <= 0 ? null : new LostRecords(topic, partition, expected, lost);
    }

    private void makeRoom(int partition) {
        int before = next.length;
        if (partition >= before) {
            next = Arrays.copyOf(next, partition + 1);
            askNotBefore = Arrays.copyOf(askNotBefore, partition + 1);
            Arrays.fill(next, before, partition + 1, UNKNOWN);
            Arrays.fill(askNotBefore, before, partition + 1, Long.MIN_VALUE);
        }
    }
}
