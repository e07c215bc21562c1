package io.tailrace.operators.admission;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * What admission says of the topics themselves, and the shards of the records that reached them, for {@link AdmissionTally} to add up.
 *
 * @param lost of LOST; null else
 * @param records how many
 */
public record TopicNote(Kind kind, LostRecords lost, long records) {
    /** The side output that they come from. */
    public static final OutputTag<TopicNote> OUTPUT =
            new OutputTag<>("topic-notes", TypeInformation.of(TopicNote.class));

    /** What it says. */
    public enum Kind {
        /** Once each start: how much was read or lost of topics that the job's state has left, those of another Kafka, or deleted ones. */
        BEGUN,
        /** Records can never be read. */
        LOST,
        /** How many more records were read or lost. */
        PASSED,
        /** How many more records a shard's task has counted as admitted, as repeats or as over a quota. */
        TAKEN
    }

    static TopicNote begun(long recordsBefore) {
        return new TopicNote(Kind.BEGUN, null, recordsBefore);
    }

    static TopicNote lost(LostRecords gap) {
        return new TopicNote(Kind.LOST, gap, gap.records());
    }

    static TopicNote passed(long records) {
        return new TopicNote(Kind.PASSED, null, records);
    }

    public static TopicNote taken(long records) {
        return new TopicNote(Kind.TAKEN, null, records);
    }
}
