package io.tailrace.operators.admission;

/**
 * Records of a topic of generations that its retention removed before the job read them.
 *
 * @param topic its full name
 * @param from the first offset that was not read
 * @param records how many from there on, producers' transaction markers counted
 */
public record LostRecords(String topic, int partition, long from, long records) {
    /** For the log and for topic events. */
    String message() {
        return "%,d records of topic %s, partition %d, were removed by its retention before this job read them: offsets %d to %d"
                .formatted(records, topic, partition, from, from + records - 1);
    }
}
