package io.tailrace.operators;

/**
 * The uids by which Flink finds an operator's state again in a savepoint, and the names people see. A uid is an interface: it
 * never changes once released, and none is used twice.
 */
public final class OperatorIds {
    public static final String GENERATIONS_SOURCE = "generations-source";
    public static final String OUTCOMES_SOURCE = "outcomes-source";
    public static final String CONTROL_SOURCE = "control-source";
    public static final String CONTROL_DECODING = "control-decoding";
    public static final String CLAIMS_SOURCE = "claims-source";
    public static final String CLAIMS_DECODING = "claims-decoding";
    public static final String SINGLE_JOB = "single-job";
    public static final String ADMISSION = "admission";
    public static final String LANE_REGISTER = "lane-register";
    public static final String ADMISSION_TALLY = "admission-tally";
    public static final String SHARD_INTAKE = "shard-intake";
    public static final String PROGRESS_INPUT = "progress-input";
    public static final String OUTCOME_DECODING = "outcome-decoding";
    public static final String OUTCOME_AGGREGATION = "outcome-aggregation";
    public static final String OUTCOMES_INPUT = "outcomes-input";
    public static final String LANE_PUBLISHER = "lane-publisher";
    public static final String REJECTIONS_ENCODING = "rejections-encoding";
    public static final String SNAPSHOTS_SINK = "snapshots-sink";
    public static final String REJECTIONS_SINK = "rejections-sink";
    public static final String EVENTS_SINK = "events-sink";
    public static final String ADMITTED_SINK = "admitted-sink";

    public static final String SNAPSHOTS_SOURCE = "snapshots-source";
    public static final String SNAPSHOTS_DECODING = "snapshots-decoding";
    public static final String SNAPSHOTS_EPOCHS = "snapshots-epochs";
    public static final String EVENTS_SOURCE = "events-source";
    public static final String EVENTS_DECODING = "events-decoding";
    public static final String EVENTS_EPOCHS = "events-epochs";
    public static final String ANNOUNCED_LANES = "announced-lanes";
    public static final String SNAPSHOTS_INPUT = "snapshots-input";
    public static final String EVALUATOR = "evaluator";
    public static final String LEARNING_INPUT = "learning-input";
    public static final String DRIFT_WATCH = "drift-watch";
    public static final String DRIFT_INPUT = "drift-input";

    public static final String WORKERS_SOURCE = "workers-source";
    public static final String WORKERS_DECODING = "workers-decoding";

    private OperatorIds() {}
}
