package io.tailrace.operators.admission;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * What admission says of the topics themselves: that records of one are lost, or, once each start, how much was read before those of now.
 *
 * @param lost null: it is of the other kind
 * @param recordsBefore read or lost, of topics that the job's state has left: those of another Kafka, or deleted ones
 */
public record TopicNote(LostRecords lost, long recordsBefore) {
    /** The side output of admission that they come from. */
    public static final OutputTag<TopicNote> OUTPUT =
            new OutputTag<>("topic-notes", TypeInformation.of(TopicNote.class));

    static TopicNote lost(LostRecords gap) {
        return new TopicNote(gap, 0);
    }

    static TopicNote begun(long recordsBefore) {
        return new TopicNote(null, recordsBefore);
    }
}
