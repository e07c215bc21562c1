package io.tailrace.jobs.kafka;

import java.io.Serializable;
import java.util.Arrays;

/** By partition, the brokers' time of the record that was read last, epoch milliseconds. Of one task's thread; allocates nothing for a record. */
final class ReadTimes implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long NONE = -1;

    private long[] last = {};

    void read(int partition, long timestampMillis) {
        if (partition >= last.length) {
            int before = last.length;
            last = Arrays.copyOf(last, partition + 1);
            Arrays.fill(last, before, last.length, NONE);
        }
        last[partition] = Math.max(last[partition], timestampMillis);
    }

    /** -1: none was read. */
    long last(int partition) {
        return partition < last.length ? last[partition] : NONE;
    }
}
