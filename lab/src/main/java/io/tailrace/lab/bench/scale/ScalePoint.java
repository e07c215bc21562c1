package io.tailrace.lab.bench.scale;

/**
 * An installation of one size, and what it cost. Rates are of the time in which traffic came, after a warm-up.
 *
 * @param grows what differs between this point and its neighbours
 * @param size how much of it there is
 * @param lanes with traffic
 * @param coldLanes without
 * @param generationsPerSecond sent
 * @param followers of the store, all lanes each; of more than 32 the others say that they follow, and do not fetch
 * @param jobCores processors that the job kept busy
 * @param jobHeapBytes live, after a collection
 * @param jobPeakResidentBytes the most that its process had resident since its start; 0: not known
 * @param checkpointBytes state of the newest checkpoint
 * @param putsPerSecond files written to the store
 * @param putBytesPerSecond their bytes
 * @param fetchesPerSecond files that the job read from it, other than to check what was just written
 * @param fetchBytesPerSecond their bytes
 * @param listsPerSecond folders listed
 * @param deletesPerSecond files removed
 * @param snapshotsBytesPerSecond of topic snapshots
 * @param admittedBytesPerSecond of topic admitted
 * @param otherBytesPerSecond of the other topics that the job writes
 * @param followerRequestsPerSecond files that one follower fetched
 * @param followerBytesPerSecond their bytes
 * @param followerKafkaBytesPerSecond what it received from Kafka, of all topics that it follows
 * @param announcedP50Millis from completion to announcement, of the generations that counted; 0: none was announced
 * @param announcedP99Millis the same, of the slowest hundredth
 * @param settledSeconds after the last generation, until the books were closed, or until the limit
 * @param settled whether the job had digested everything before the traffic began, and within the limit after it ended
 */
record ScalePoint(
        Grows grows,
        int size,
        int lanes,
        int coldLanes,
        int generationsPerSecond,
        int followers,
        double jobCores,
        long jobHeapBytes,
        long jobPeakResidentBytes,
        long checkpointBytes,
        double putsPerSecond,
        double putBytesPerSecond,
        double fetchesPerSecond,
        double fetchBytesPerSecond,
        double listsPerSecond,
        double deletesPerSecond,
        double snapshotsBytesPerSecond,
        double admittedBytesPerSecond,
        double otherBytesPerSecond,
        double followerRequestsPerSecond,
        double followerBytesPerSecond,
        double followerKafkaBytesPerSecond,
        long announcedP50Millis,
        long announcedP99Millis,
        double settledSeconds,
        boolean settled) {
    /** What differs between points. */
    enum Grows {
        LANES("lanes"),
        RATE("generations a second"),
        FOLLOWERS("followers"),
        COLD("cold lanes"),
        LANE_TOKENS("tokens of a lane");

        private final String words;

        Grows(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }
}
