package io.tailrace.jobs.kafka;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * By topic and partition, the brokers' time of the record that was read last, epoch milliseconds. Of one task's thread; allocates nothing for a
 * record.
 */
final class ReadTimes implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long NONE = -1;
    private static final long[] NO_PARTITIONS = {};

    private final Map<String, long[]> last = new HashMap<>();

    void read(String topic, int partition, long timestampMillis) {
        long[] times = last.getOrDefault(topic, NO_PARTITIONS);
        if (partition >= times.length) {
            int before = times.length;
            times = Arrays.copyOf(times, partition + 1);
            Arrays.fill(times, before, times.length, NONE);
            last.put(topic, times);
        }
        times[partition] = Math.max(times[partition], timestampMillis);
    }

    /** -1: none was read. */
    long last(String topic, int partition) {
        long[] times = last.getOrDefault(topic, NO_PARTITIONS);
        return partition < times.length ? times[partition] : NONE;
    }
}
