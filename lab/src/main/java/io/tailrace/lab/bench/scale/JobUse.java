package io.tailrace.lab.bench.scale;

/**
 * What a job's process has used since its start, and holds now.
 *
 * @param cpuNanos processor time, start and compilation included
 * @param heapBytes live, after a collection; 0: not asked for
 * @param peakResidentBytes the most that its process ever had resident; 0: not known
 * @param checkpointBytes state of the newest checkpoint
 * @param puts files written to the store
 * @param putBytes their bytes
 * @param fetches files read from it, other than to check what was just written
 * @param fetchBytes their bytes
 * @param lists folders listed
 * @param deletes files removed
 */
record JobUse(
        long cpuNanos,
        long heapBytes,
        long peakResidentBytes,
        long checkpointBytes,
        long puts,
        long putBytes,
        long fetches,
        long fetchBytes,
        long lists,
        long deletes) {
    /** What came since: differences, but for what it holds now. */
    JobUse since(JobUse before) {
        return new JobUse(
                cpuNanos - before.cpuNanos,
                heapBytes,
                peakResidentBytes,
                checkpointBytes,
                puts - before.puts,
                putBytes - before.putBytes,
                fetches - before.fetches,
                fetchBytes - before.fetchBytes,
                lists - before.lists,
                deletes - before.deletes);
    }
}
