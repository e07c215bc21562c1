package io.tailrace.client.report;

/**
 * A record on its way to a topic. The arrays are not copied.
 *
 * @param topic its full name
 * @param key of the record
 * @param value of the record
 */
record SpoolRecord(String topic, byte[] key, byte[] value) {}
