package io.tailrace.client.report;

/**
 * What waits on disk for Kafka.
 *
 * @param pendingRecords reports that Kafka does not have yet
 * @param bytes of all files
 * @param droppedRecords reports dropped unsent, to keep the spool's bound; since start
 * @param lostBytes damaged ends of files that were cut off; since start
 */
public record SpoolState(long pendingRecords, long bytes, long droppedRecords, long lostBytes) {}
