package io.tailrace.client.report;

/**
 * What waits on disk for Kafka.
 *
 * @param pendingRecords reports that Kafka does not have yet
 * @param bytes of all files
 * @param droppedRecords reports dropped unsent, to keep the spool's bound; since start
 * @param lostBytes damaged ends of files that were cut off; since start
 * @param refusedRecords reports that the disk did not take, as when it is full; since start
 * @param memoryRecords those of them that wait in memory for Kafka or for the disk; a kill loses them
 */
public record SpoolState(
        long pendingRecords,
        long bytes,
        long droppedRecords,
        long lostBytes,
        long refusedRecords,
        long memoryRecords) {}
