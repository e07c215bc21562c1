package io.tailrace.operators;

import java.nio.charset.StandardCharsets;

/**
 * A record on its way to a topic, encoded.
 *
 * @param key in UTF-8, as {@link io.tailrace.schemas.Topic#key} says
 * @param value the bytes; null for a tombstone
 */
public record OutgoingRecord(byte[] key, byte[] value) {
    public static OutgoingRecord of(String key, byte[] value) {
        return new OutgoingRecord(key.getBytes(StandardCharsets.UTF_8), value);
    }

    public static OutgoingRecord tombstone(String key) {
        return of(key, null);
    }

    public String keyText() {
        return new String(key, StandardCharsets.UTF_8);
    }
}
