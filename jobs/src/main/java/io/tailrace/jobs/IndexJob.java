package io.tailrace.jobs;

import io.tailrace.jobs.kafka.KafkaControlHistory;
import io.tailrace.jobs.kafka.KafkaEnds;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.operators.OperatorIds;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.Admission;
import io.tailrace.operators.admission.AdmissionTally;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlDecoding;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.indexing.ShardIndexer;
import io.tailrace.operators.indexing.ShardProgress;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.OutcomeAggregation;
import io.tailrace.operators.outcomes.OutcomeDecoding;
import io.tailrace.operators.publishing.LaneInput;
import io.tailrace.operators.publishing.LanePublisher;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.store.SegmentStoreFactory;
import io.tailrace.schemas.Topic;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

/** The index job: from topics generations, outcomes and control to topics snapshots, rejections and events. */
public final class IndexJob {
    /** The job's name in Flink. */
    public static final String NAME = "tailrace-index";

    /** Fixed for good: state is spread over this many key groups. */
    public static final int MAX_PARALLELISM = 128;

    private static final int CHECKPOINT_FAILURES_TOLERATED = 5;
    private static final Logger LOG = LoggerFactory.getLogger(IndexJob.class);

    private final StreamExecutionEnvironment env;
    private final IndexJobOptions options;
    private final SegmentStoreFactory stores;
    private final KafkaEnds kafka;

    private IndexJob(StreamExecutionEnvironment env, IndexJobOptions options, SegmentStoreFactory stores) {
        this.env = env;
        this.options = options;
        this.stores = stores;
        this.kafka = new KafkaEnds(options.kafka());
    }

    /** For {@code flink run}. */
    public static void main(String[] arguments) throws Exception {
        IndexJobOptions options;
        try {
            options = IndexJobOptions.parse(arguments);
        } catch (ParameterException e) {
            throw new ProgramParametrizationException(e.getMessage() + "\n\n" + IndexJobOptions.usage());
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        build(env, options);
        env.execute(NAME);
    }

    /** Builds the job with the store that the options name. */
    public static void build(StreamExecutionEnvironment env, IndexJobOptions options) {
        build(env, options, FlinkFileStore.factory(options.store()));
    }

    /** Builds the job with a store of the caller's, such as one that wraps {@link FlinkFileStore}. */
    public static void build(StreamExecutionEnvironment env, IndexJobOptions options, SegmentStoreFactory stores) {
        IndexJob job = new IndexJob(env, options, stores);
        job.configure();
        job.wire();
        LOG.info(
                "index job: brokers {}, topic prefix '{}', store {}, models {}, {} shards",
                options.kafka().bootstrap(),
                options.kafka().topicPrefix(),
                options.store(),
                options.models().names(),
                options.admission().shards());
    }

    private void configure() {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        env.configure(configuration);
        env.setMaxParallelism(MAX_PARALLELISM);
        env.enableCheckpointing(options.checkpointMillis(), CheckpointingMode.EXACTLY_ONCE);
        env.getCheckpointConfig().setTolerableCheckpointFailureNumber(CHECKPOINT_FAILURES_TOLERATED);
    }

    private void wire() {
        BroadcastStream<ControlCommand> control = control();
        SingleOutputStreamOperator<AdmittedGeneration> admitted = admission();
        SingleOutputStreamOperator<ShardProgress> progress = admitted.keyBy(AdmittedGeneration::shardKey)
                .connect(control)
                .process(new ShardIndexer(
                        options.indexing(),
                        options.models(),
                        stores,
                        options.scratch(),
                        options.kafka().topic(Topic.GENERATIONS)))
                .uid(OperatorIds.SHARD_INDEXER)
                .name("shard indexer");
        SingleOutputStreamOperator<OutgoingRecord> snapshots = publisher(progress, control);
        DataStream<RejectedRecord> refused = admitted.getSideOutput(RejectedRecord.OUTPUT);
        DataStream<RejectedRecord> overQuota = progress.getSideOutput(RejectedRecord.OUTPUT);
        DataStream<OutgoingRecord> rejections = refused.union(overQuota)
                .map(RejectedRecord::record)
                .returns(TypeInformation.of(OutgoingRecord.class))
                .uid(OperatorIds.REJECTIONS_ENCODING)
                .name("rejections");
        DataStream<OutgoingRecord> events =
                snapshots.getSideOutput(LanePublisher.EVENTS).union(tally(refused));
        sink(snapshots, Topic.SNAPSHOTS, OperatorIds.SNAPSHOTS_SINK);
        sink(rejections, Topic.REJECTIONS, OperatorIds.REJECTIONS_SINK);
        sink(events, Topic.EVENTS, OperatorIds.EVENTS_SINK);
    }

    private BroadcastStream<ControlCommand> control() {
        return source(kafka.fromBeginning(Topic.CONTROL), Topic.CONTROL, OperatorIds.CONTROL_SOURCE)
                .setParallelism(1)
                .flatMap(new ControlDecoding())
                .setParallelism(1)
                .uid(OperatorIds.CONTROL_DECODING)
                .name("control decoding")
                .broadcast(ControlState.descriptor());
    }

    private SingleOutputStreamOperator<AdmittedGeneration> admission() {
        return source(kafka.continued(Topic.GENERATIONS), Topic.GENERATIONS, OperatorIds.GENERATIONS_SOURCE)
                .process(new Admission(options.admission()))
                .uid(OperatorIds.ADMISSION)
                .name("admission");
    }

    private SingleOutputStreamOperator<OutgoingRecord> publisher(
            DataStream<ShardProgress> progress, BroadcastStream<ControlCommand> control) {
        DataStream<LaneInput> inputs = progress.map(report -> LaneInput.of(report))
                .returns(TypeInformation.of(LaneInput.class))
                .uid(OperatorIds.PROGRESS_INPUT)
                .name("shard progress");
        KafkaControlHistory history = new KafkaControlHistory(
                options.kafka().clientProperties(), options.kafka().topic(Topic.CONTROL));
        return inputs.union(outcomes())
                .keyBy(LaneInput::lane)
                .connect(control)
                .process(new LanePublisher(options.publishing(), options.models(), stores, history, options.scratch()))
                .uid(OperatorIds.LANE_PUBLISHER)
                .name("lane publisher");
    }

    private DataStream<LaneInput> outcomes() {
        return source(kafka.continued(Topic.OUTCOMES), Topic.OUTCOMES, OperatorIds.OUTCOMES_SOURCE)
                .process(new OutcomeDecoding())
                .uid(OperatorIds.OUTCOME_DECODING)
                .name("outcome decoding")
                .keyBy(LaneOutcome::lane)
                .process(new OutcomeAggregation())
                .uid(OperatorIds.OUTCOME_AGGREGATION)
                .name("outcome aggregation")
                .map(outcome -> LaneInput.of(outcome))
                .returns(TypeInformation.of(LaneInput.class))
                .uid(OperatorIds.OUTCOMES_INPUT)
                .name("lane outcomes");
    }

    private static DataStream<OutgoingRecord> tally(DataStream<RejectedRecord> refused) {
        return refused.keyBy(record -> AdmissionTally.KEY)
                .process(new AdmissionTally())
                .uid(OperatorIds.ADMISSION_TALLY)
                .name("admission tally");
    }

    private SingleOutputStreamOperator<RawRecord> source(KafkaSource<RawRecord> source, Topic topic, String uid) {
        String name = options.kafka().topic(topic);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), name, TypeInformation.of(RawRecord.class))
                .uid(uid);
    }

    private void sink(DataStream<OutgoingRecord> records, Topic topic, String uid) {
        records.sinkTo(kafka.sink(topic)).uid(uid).name(options.kafka().topic(topic));
    }
}
