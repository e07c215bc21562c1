package io.tailrace.lab.loop;

/**
 * The two equations that hold after any fault: every record read was admitted, a duplicate or rejected, and every token
 * admitted is live, pending, expired or deleted.
 */
public record LoopAccounting(Records records, Tokens tokens) {
    /**
     * Records of topic generations.
     *
     * @param read how many the topic holds, by its offsets
     * @param admitted by the job's accounts
     * @param duplicate by the job's accounts
     * @param rejected how many topic rejections holds
     * @param rejectedByJob how many the job's accounts say
     */
    public record Records(long read, long admitted, long duplicate, long rejected, long rejectedByJob) {
        public boolean closes() {
            return read == admitted + duplicate + rejected && rejected == rejectedByJob;
        }
    }

    /** Response tokens, by the job's accounts. */
    public record Tokens(long admitted, long live, long pending, long expired, long deleted) {
        public boolean closes() {
            return admitted == live + pending + expired + deleted;
        }
    }

    public boolean closes() {
        return records.closes() && tokens.closes();
    }

    /** Both equations close and nothing waits for a snapshot. */
    public boolean settled() {
        return closes() && tokens.pending() == 0;
    }
}
