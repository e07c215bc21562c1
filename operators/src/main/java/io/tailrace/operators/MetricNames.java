package io.tailrace.operators;

/** Names of Tailrace's Flink metrics. Lane and shard are metric-scope variables, not parts of the names. */
public final class MetricNames {
    /** Scope variable: the lane as text. */
    public static final String LANE = "lane";
    /** Scope variable: the shard's number. */
    public static final String SHARD = "shard";
    /** Scope variable: a {@link io.tailrace.schemas.RejectionReason}. */
    public static final String REASON = "reason";

    /** Generations admitted: of Admission and LaneRegister together, and of a shard. */
    public static final String ADMITTED = "admitted";
    /** Records that the retention of topic generations removed before the job read them. */
    public static final String RECORDS_LOST = "recordsLost";
    /** Lanes that the job has. */
    public static final String LANES = "lanes";
    /** Repeats dropped by a shard. */
    public static final String DUPLICATE = "duplicate";
    /** Records rejected; under the scope variable {@link #REASON} by reason. */
    public static final String REJECTED = "rejected";
    /** Tokens of generations that were folded into a lane's segments. */
    public static final String INDEXED_TOKENS = "indexedTokens";
    /** Tokens of a lane's generations that wait for a fold. */
    public static final String WAITING_TOKENS = "waitingTokens";
    /** Attempts on the store that were given up after their retries. */
    public static final String STORE_FAILURES = "storeFailures";
    /** A lane's files that the store damaged or lost, and that were given up. */
    public static final String FILES_LOST = "filesLost";
    /** A lane's files that the store damaged or lost, and that were written again from a copy. */
    public static final String FILES_MENDED = "filesMended";

    /** Segments of a lane's announced snapshot. */
    public static final String LIVE_SEGMENTS = "liveSegments";
    /** Tokens of a lane's announced snapshot. */
    public static final String LIVE_TOKENS = "liveTokens";
    /** A lane's announced version. */
    public static final String SNAPSHOT_VERSION = "snapshotVersion";
    /** Announcement time minus completion time, a histogram in milliseconds. */
    public static final String FRESHNESS_MILLIS = "freshnessMillis";
    /** Merges done for a lane, folds into the newest segment included. */
    public static final String MERGES = "merges";
    /** Announcements of a lane. */
    public static final String ANNOUNCEMENTS = "announcements";

    /** Requests whose outcomes came in. */
    public static final String OUTCOME_REQUESTS = "outcomeRequests";
    /** Accepted draft tokens per verification step, since the job's state began. */
    public static final String ACCEPTED_PER_STEP = "acceptedPerStep";
    /** Share of drafted tokens that were accepted, since the job's state began. */
    public static final String ACCEPTANCE_RATE = "acceptanceRate";
    /** Outcomes that could not be decoded, or whose lane is one too many. */
    public static final String OUTCOMES_REJECTED = "outcomesRejected";

    /** Records of topics control, snapshots, events and workers that could not be read. */
    public static final String RECORDS_SKIPPED = "recordsSkipped";

    /** Generations evaluated by a task. */
    public static final String EVALUATED = "evaluated";
    /** Samples that were not evaluated: no snapshot yet, already in it, or no time. */
    public static final String EVALUATION_SKIPPED = "evaluationSkipped";
    /** 1 while a drift alarm is on. */
    public static final String DRIFT_ALARM = "driftAlarm";
    /** Drift alarms since the job's state began. */
    public static final String DRIFT_ALARMS = "driftAlarms";
    /** Recent novelty of the token distribution, bits a token. */
    public static final String NOVELTY_BITS = "noveltyBits";
    /** Recent log-loss of the workers' mixers, nats a prediction. */
    public static final String LOG_LOSS_NATS = "logLossNats";
    /** Number of a lane's live policy. */
    public static final String POLICY_NUMBER = "policyNumber";

    private MetricNames() {}
}
