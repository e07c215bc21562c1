package io.tailrace.operators;

/**
 * A record as it lay on a topic, undecoded.
 *
 * @param topic name of the topic, prefix included
 * @param timestampMillis what the broker says of its time
 * @param value the bytes; null where the record is a tombstone
 * @param key of a signed topic's record, where it has one; else null
 * @param signature of a signed topic's record, where it has one, as {@link io.tailrace.schemas.signing.SignatureFormat} says; else null
 */
public record RawRecord(
        String topic, int partition, long offset, long timestampMillis, byte[] value, byte[] key, byte[] signature) {
    /** A record of a topic that is not signed. */
    public RawRecord(String topic, int partition, long offset, long timestampMillis, byte[] value) {
        this(topic, partition, offset, timestampMillis, value, null, null);
    }

    /** The bytes, none for a tombstone. */
    public byte[] bytes() {
        return value == null ? new byte[0] : value;
    }
}
