package io.tailrace.operators.admission;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * Records of a topic of generations that its retention removed before the job read them.
 *
 * @param topic its full name
 * @param from the first offset that was not read
 * @param records how many from there on, producers' transaction markers counted
 */
public record LostRecords(String topic, int partition, long from, long records) {
    /** The side output of admission that they come from. */
    public static final OutputTag<LostRecords> OUTPUT =
            new OutputTag<>("lost-records", TypeInformation.of(LostRecords.class));

    /** For the log and for topic events. */
    String message() {
        return "%,d records of topic %s, partition %d, were removed by its retention before this job read them: offsets %d to %d"
                .formatted(records, topic, partition, from, from + records - 1);
    }
}
