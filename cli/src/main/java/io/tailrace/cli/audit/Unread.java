package io.tailrace.cli.audit;

import io.tailrace.schemas.UndecodableRecordException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Records that an audit judges by and could not read. A schema that is not known here, in a record that somebody known has signed, is of a job or an operator that is newer than this
 * program: the audit is blind, and fails. All else may be anybody's junk, which the job and workers leave out as well, and which may stay on a topic for ever: that is said, and is no failure.
 */
final class Unread {
    private static final String CHECK = "readable";
    private static final int WHY_CHARS_MAX = 300;

    private final Map<String, Skipped> records = new LinkedHashMap<>();

    /** Where the record stands, and why it was not read. */
    private record Skipped(String place, String why, boolean newer) {}

    /**
     * One was not read.
     *
     * @param compacted whether the next record of its key takes its place
     * @param signed whether only what is signed is read: a record that is not has another reason
     */
    void skipped(ConsumerRecord<byte[], byte[]> record, boolean compacted, boolean signed, Exception why) {
        boolean newer = signed
                && why instanceof UndecodableRecordException undecodable
                && undecodable.kind() == UndecodableRecordException.Kind.UNKNOWN_SCHEMA;
        String place = "%s at offset %,d".formatted(partition(record), record.offset());
        records.put(compacted && record.key() != null ? keyed(record) : place, new Skipped(place, text(why), newer));
    }

    /** A record of a compacted topic was read: it takes the place of those of its key. */
    void replaced(ConsumerRecord<byte[], byte[]> record) {
        records.remove(keyed(record));
    }

    private static String partition(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + "-" + record.partition();
    }

    private static String keyed(ConsumerRecord<byte[], byte[]> record) {
        return partition(record) + "#" + new String(record.key(), StandardCharsets.UTF_8);
    }

    /** What a stranger wrote may be in it. */
    private static String text(Exception why) {
        String plain = String.valueOf(why.getMessage()).replaceAll("\\p{C}", " ");
        return plain.length() <= WHY_CHARS_MAX ? plain : plain.substring(0, WHY_CHARS_MAX) + "...";
    }

    Finding finding() {
        if (records.isEmpty()) {
            return Finding.of("", CHECK, true, "every record of topics snapshots, control and events was read");
        }
        Skipped first = records.values().stream()
                .filter(Skipped::newer)
                .findFirst()
                .orElseGet(() -> records.values().iterator().next());
        return new Finding(
                "",
                CHECK,
                first.newer() ? Finding.Result.FAILED : Finding.Result.UNKNOWN,
                "%,d records of topics snapshots, control and events were not read, and what they say is not judged: %s, %s"
                        .formatted(records.size(), first.place(), first.why()));
    }
}
