package io.tailrace.operators;

/**
 * A record as it lay on a topic, undecoded.
 *
 * @param topic name of the topic, prefix included
 * @param timestampMillis what the broker says of its time
 * @param value the bytes; null where the record is a tombstone
 */
public record RawRecord(String topic, int partition, long offset, long timestampMillis, byte[] value) {
    /** The bytes, none for a tombstone. */
    public byte[] bytes() {
        return value == null ? new byte[0] : value;
    }
}
