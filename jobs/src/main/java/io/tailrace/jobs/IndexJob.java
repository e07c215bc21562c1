package io.tailrace.jobs;

import static io.tailrace.operators.Preconditions.require;

import io.tailrace.jobs.kafka.KafkaControlHistory;
import io.tailrace.jobs.kafka.KafkaEnds;
import io.tailrace.jobs.kafka.KafkaInstallation;
import io.tailrace.jobs.kafka.LateSink;
import io.tailrace.jobs.kafka.LeavingSink;
import io.tailrace.jobs.options.IndexJobOptions;
import io.tailrace.jobs.topics.TopicCheck;
import io.tailrace.operators.OperatorIds;
import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.RawRecord;
import io.tailrace.operators.admission.Admission;
import io.tailrace.operators.admission.AdmissionTally;
import io.tailrace.operators.admission.LaneRegister;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.admission.TopicNote;
import io.tailrace.operators.barriers.TellingBroadcast;
import io.tailrace.operators.control.ClaimName;
import io.tailrace.operators.control.ClaimedEpoch;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.control.SingleJob;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.evaluation.Evaluator;
import io.tailrace.operators.intake.ShardIntake;
import io.tailrace.operators.intake.ShardProgress;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.outcomes.LaneOutcome;
import io.tailrace.operators.outcomes.OutcomeAggregation;
import io.tailrace.operators.outcomes.OutcomeDecoding;
import io.tailrace.operators.outcomes.RequestOutcome;
import io.tailrace.operators.publishing.LaneMessage;
import io.tailrace.operators.publishing.LanePublisher;
import io.tailrace.operators.signals.EpochFilter;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.operators.signals.SignalDecoding;
import io.tailrace.operators.store.DurableStore;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.timers.SteadyProcess;
import io.tailrace.schemas.Topic;
import io.tailrace.schemas.signing.WriterKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

/** The index job: from topics generations, outcomes and control to topics snapshots, admitted, rejections and events. */
public final class IndexJob {
    /** The job's name in Flink. */
    public static final String NAME = "tailrace-index";

    /**
     * Most tasks of an operator, and fixed for good: state is spread over so many key groups, each of which is written in each checkpoint whatever it
     * holds. Where that many tasks do not suffice, several installations share the traffic.
     */
    public static final int MAX_PARALLELISM = 128;

    private static final int CHECKPOINT_FAILURES_TOLERATED = 5;
    /** A record waits this long for company on its way from task to task, where few come. */
    private static final long BUFFER_MILLIS = 100;
    /**
     * So long on the way from a generation to the topics that workers draft from, where every wait counts. Everywhere, it would cost a tenth of a core:
     * each output has a thread that wakes up so often.
     */
    private static final long HURRIED_MILLIS = 10;

    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(IndexJob.class);

    private final StreamExecutionEnvironment env;
    private final IndexJobOptions options;
    private final DurableStore.Factory stores;
    private final WriterKeys keys;
    private final KafkaEnds kafka;
    private final ClaimName claim;

    private IndexJob(StreamExecutionEnvironment env, IndexJobOptions options, DurableStore.Factory stores) {
        this.env = env;
        this.options = options;
        this.stores = stores;
        this.keys = options.kafka().keys();
        this.kafka = new KafkaEnds(options.kafka(), keys);
        this.claim = ClaimName.fresh(options.takeOver());
    }

    /** For {@code flink run}. */
    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT);
        IndexJobOptions options;
        try {
            options = IndexJobOptions.parse(arguments);
        } catch (ParameterException e) {
            throw new ProgramParametrizationException(e.getMessage() + "\n\n" + IndexJobOptions.usage());
        }
        tellOfTopics(options);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        build(env, options);
        env.execute(NAME);
    }

    /** Sources that miss their topics may fail before the job's guard has said why, and again and again. */
    private static void tellOfTopics(IndexJobOptions options) {
        try {
            new TopicCheck(options.kafka()).trouble().ifPresent(why -> LOG.error("the job waits: {}", why));
        } catch (IOException e) {
            LOG.warn("the topics cannot be looked at just now", e);
        }
    }

    /** Builds the job with the store that the options name. */
    public static void build(StreamExecutionEnvironment env, IndexJobOptions options) {
        build(env, options, FlinkFileStore.factory(options.store()));
    }

    /**
     * Builds the job with a store of the caller's, such as one that wraps {@link FlinkFileStore}.
     *
     * @throws IllegalArgumentException if the environment's parallelism is above {@link #MAX_PARALLELISM}
     */
    public static void build(StreamExecutionEnvironment env, IndexJobOptions options, DurableStore.Factory stores) {
        checkParallelism(env.getParallelism());
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

    /** Flink itself would say so only once the cluster has the job, and start it again and again. */
    private static void checkParallelism(int parallelism) {
        require(
                parallelism <= MAX_PARALLELISM,
                "parallelism must be at most %d, the number of parts that the job's state is kept in, got %d; give Flink fewer slots or this"
                        + " job fewer tasks (parallelism.default, flink run -p), and share models or topics out among several installations"
                        + " (docs/SCALE.md)",
                MAX_PARALLELISM,
                parallelism);
    }

    private void configure() {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        if (env.getConfiguration()
                .getOptional(RestartStrategyOptions.RESTART_STRATEGY)
                .isEmpty()) {
            restartForEver(configuration);
        }
        env.configure(configuration);
        env.setMaxParallelism(MAX_PARALLELISM);
        env.setBufferTimeout(BUFFER_MILLIS);
        env.enableCheckpointing(options.checkpointMillis(), CheckpointingMode.EXACTLY_ONCE);
        env.getCheckpointConfig()
                .enableUnalignedCheckpoints(false); // what is said before a barrier must not be overtaken by it
        env.getCheckpointConfig().setTolerableCheckpointFailureNumber(CHECKPOINT_FAILURES_TOLERATED);
    }

    /** Flink's default goes by the time of day: where a clock was a day ahead and has been put right, it waits for that day. */
    private static void restartForEver(Configuration configuration) {
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY,
                RestartStrategyOptions.RestartStrategyType.FIXED_DELAY.getMainValue());
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, RESTART_DELAY);
    }

    private void wire() {
        singleJob();
        DataStream<LaneSignal> events = inTime(events(), OperatorIds.EVENTS_EPOCHS);
        DataStream<LaneSignal> announced = announced();
        DataStream<LaneSignal> announcedInTime = inTime(announced, OperatorIds.SNAPSHOTS_EPOCHS);
        DataStream<LaneSignal> lanes = lanes(announcedInTime);
        SingleOutputStreamOperator<OfferedGeneration> admitted = admission(events.union(lanes));
        SingleOutputStreamOperator<OfferedGeneration> ofNewLanes = register(admitted, lanes);
        SingleOutputStreamOperator<LaneOutcome> outcomes = outcomes(lanes);
        DataStream<ControlCommand> control = control();
        SingleOutputStreamOperator<ShardProgress> progress = intake(admitted.union(ofNewLanes), control);
        SingleOutputStreamOperator<DriftWatch.Report> drift = drift(progress, outcomes);
        SingleOutputStreamOperator<LearningReport> learning = evaluate(progress, announcedInTime.union(events));
        DataStream<LaneMessage> inputs = LaneInputs.progress(progress, HURRIED_MILLIS)
                .union(
                        LaneInputs.outcomes(outcomes),
                        LaneInputs.drift(drift),
                        LaneInputs.learning(learning),
                        LaneInputs.workers(
                                source(kafka.continued(Topic.WORKERS), Topic.WORKERS, OperatorIds.WORKERS_SOURCE)
                                        .setParallelism(1)),
                        LaneInputs.known(announced));
        SingleOutputStreamOperator<OutgoingRecord> snapshots = publisher(inputs, control);
        DataStream<RejectedRecord> refused =
                admitted.getSideOutput(RejectedRecord.OUTPUT).union(ofNewLanes.getSideOutput(RejectedRecord.OUTPUT));
        DataStream<RejectedRecord> overQuota = progress.getSideOutput(RejectedRecord.OUTPUT);
        DataStream<OutgoingRecord> rejections = refused.union(overQuota)
                .map(RejectedRecord::record)
                .returns(TypeInformation.of(OutgoingRecord.class))
                .uid(OperatorIds.REJECTIONS_ENCODING)
                .name("rejections");
        DataStream<TopicNote> notes =
                admitted.getSideOutput(TopicNote.OUTPUT).union(progress.getSideOutput(TopicNote.OUTPUT));
        sink(snapshots, Topic.SNAPSHOTS, OperatorIds.SNAPSHOTS_SINK);
        sink(rejections, Topic.REJECTIONS, OperatorIds.REJECTIONS_SINK);
        progress.getSideOutput(ShardIntake.ADMITTED)
                .sinkTo(late(kafka.immediateSink(Topic.ADMITTED)))
                .uid(OperatorIds.ADMITTED_SINK)
                .name(options.kafka().topic(Topic.ADMITTED));
        sink(
                snapshots
                        .getSideOutput(LanePublisher.EVENTS)
                        .union(tally(refused, notes), drift.getSideOutput(DriftWatch.EVENTS)),
                Topic.EVENTS,
                OperatorIds.EVENTS_SINK);
    }

    private DataStream<ControlCommand> control() {
        return source(kafka.fromBeginning(Topic.CONTROL), Topic.CONTROL, OperatorIds.CONTROL_SOURCE)
                .setParallelism(1)
                .flatMap(ControlCommand.Decoding.ofOperators(keys.trusted()))
                .setParallelism(1)
                .uid(OperatorIds.CONTROL_DECODING)
                .name("control decoding");
    }

    /** A branch by itself: the sinks wait for it, so what waits behind them must not hold it up. */
    private void singleJob() {
        source(kafka.fromBeginning(Topic.CONTROL), Topic.CONTROL, OperatorIds.CLAIMS_SOURCE)
                .setParallelism(1)
                .flatMap(ControlCommand.Decoding.ofJobs(keys.trusted()))
                .setParallelism(1)
                .uid(OperatorIds.CLAIMS_DECODING)
                .name("claims decoding")
                .process(new SingleJob(installation(), new TopicCheck(options.kafka()), options.startEmpty(), claim))
                .setParallelism(1)
                .uid(OperatorIds.SINGLE_JOB)
                .name("single job");
    }

    private DataStream<LaneSignal> signals(
            Source<RawRecord, ?, ?> from, Topic topic, String sourceUid, SignalDecoding decoding, String decodingUid) {
        return source(from, topic, sourceUid)
                .setParallelism(1)
                .flatMap(decoding)
                .setParallelism(1)
                .uid(decodingUid)
                .name(decodingUid.replace('-', ' '));
    }

    private SingleOutputStreamOperator<OfferedGeneration> admission(DataStream<LaneSignal> signals) {
        Admission admission = new Admission(options.admission(), options.sampling(), kafka.topics(), kafka.topics());
        return source(kafka.generations(options.rereadMillis()), Topic.GENERATIONS, OperatorIds.GENERATIONS_SOURCE)
                .setBufferTimeout(HURRIED_MILLIS)
                .connect(signals.broadcast())
                .transform(
                        "admission",
                        TypeInformation.of(OfferedGeneration.class),
                        new TellingBroadcast<>(admission, LaneSignal.descriptor()))
                .setBufferTimeout(HURRIED_MILLIS)
                .uid(OperatorIds.ADMISSION);
    }

    private static DataStream<LaneSignal> lanes(DataStream<LaneSignal> announced) {
        return announced
                .flatMap(new LaneSignal.AnnouncedLanes())
                .setParallelism(1)
                .uid(OperatorIds.ANNOUNCED_LANES)
                .name("announced lanes");
    }

    /** Only what belongs to lanes that no snapshot was announced of yet passes through its one task. */
    private SingleOutputStreamOperator<OfferedGeneration> register(
            SingleOutputStreamOperator<OfferedGeneration> admitted, DataStream<LaneSignal> lanes) {
        return admitted.getSideOutput(OfferedGeneration.OF_NEW_LANES)
                .keyBy(arrival -> LaneRegister.KEY)
                .connect(lanes.keyBy(lane -> LaneRegister.KEY))
                .process(new LaneRegister(
                        options.admission().lanesMax(), options.kafka().boundTopics(Topic.GENERATIONS)))
                .setParallelism(1)
                .setBufferTimeout(HURRIED_MILLIS)
                .uid(OperatorIds.LANE_REGISTER)
                .name("lane register");
    }

    private SingleOutputStreamOperator<DriftWatch.Report> drift(
            SingleOutputStreamOperator<ShardProgress> progress, SingleOutputStreamOperator<LaneOutcome> outcomes) {
        KeyedStream<DriftWatch.Observation, String> observations = progress.getSideOutput(DriftWatch.Observation.OUTPUT)
                .union(outcomes.getSideOutput(DriftWatch.Observation.OUTPUT))
                .keyBy(DriftWatch.Observation::lane);
        DriftWatch watch = new DriftWatch(options.driftFalseAlarmGenerations(), claimed());
        return SteadyProcess.of(observations, watch, DriftWatch.Report.class)
                .uid(OperatorIds.DRIFT_WATCH)
                .name("drift watch");
    }

    private SingleOutputStreamOperator<ShardProgress> intake(
            DataStream<OfferedGeneration> admitted, DataStream<ControlCommand> commands) {
        ShardIntake intake = new ShardIntake(
                options.intake(),
                options.publishing().tombstoneMillis(),
                controlHistory(),
                options.kafka().boundTopics(Topic.GENERATIONS));
        return SteadyProcess.of(
                        admitted.keyBy(OfferedGeneration::shardKey),
                        commands,
                        ControlState.descriptor(),
                        intake,
                        ShardProgress.class)
                .uid(OperatorIds.SHARD_INTAKE)
                .name("shard intake");
    }

    private SingleOutputStreamOperator<LearningReport> evaluate(
            SingleOutputStreamOperator<ShardProgress> progress, DataStream<LaneSignal> signals) {
        return SteadyProcess.of(
                        progress.getSideOutput(EvaluationSample.OUTPUT).keyBy(EvaluationSample::replicaKey),
                        signals,
                        LaneSignal.descriptor(),
                        new Evaluator(options.evaluate(), options.models(), stores, options.scratch()),
                        LearningReport.class)
                .uid(OperatorIds.EVALUATOR)
                .name("evaluator");
    }

    private DataStream<LaneSignal> announced() {
        return signals(
                kafka.fromBeginning(Topic.SNAPSHOTS),
                Topic.SNAPSHOTS,
                OperatorIds.SNAPSHOTS_SOURCE,
                SignalDecoding.ofSnapshots(keys.trusted()),
                OperatorIds.SNAPSHOTS_DECODING);
    }

    private DataStream<LaneSignal> events() {
        return signals(
                kafka.continued(Topic.EVENTS),
                Topic.EVENTS,
                OperatorIds.EVENTS_SOURCE,
                SignalDecoding.ofEvents(keys.trusted()),
                OperatorIds.EVENTS_DECODING);
    }

    private DataStream<LaneSignal> inTime(DataStream<LaneSignal> signals, String uid) {
        return signals.filter(new EpochFilter(claimed()))
                .setParallelism(1)
                .uid(uid)
                .name(uid.replace('-', ' '));
    }

    private SingleOutputStreamOperator<OutgoingRecord> publisher(
            DataStream<LaneMessage> inputs, DataStream<ControlCommand> control) {
        LanePublisher publisher = new LanePublisher(
                options.publishing(),
                options.policies(),
                options.models(),
                stores,
                controlHistory(),
                claimed(),
                options.scratch());
        return SteadyProcess.of(
                        inputs.keyBy(LaneMessage::lane),
                        control,
                        ControlState.descriptor(),
                        publisher,
                        OutgoingRecord.class)
                .setBufferTimeout(HURRIED_MILLIS)
                .uid(OperatorIds.LANE_PUBLISHER)
                .name("lane publisher");
    }

    private KafkaInstallation installation() {
        return new KafkaInstallation(
                options.kafka().clientProperties(),
                options.kafka().topic(Topic.CONTROL),
                options.kafka().topic(Topic.SNAPSHOTS),
                keys);
    }

    private LateSink late(LeavingSink sink) {
        return new LateSink(sink, claimed());
    }

    private ClaimedEpoch claimed() {
        return new ClaimedEpoch(installation(), claim);
    }

    private KafkaControlHistory controlHistory() {
        return new KafkaControlHistory(
                options.kafka().clientProperties(), options.kafka().topic(Topic.CONTROL), keys.trusted());
    }

    private SingleOutputStreamOperator<LaneOutcome> outcomes(DataStream<LaneSignal> lanes) {
        KeyedStream<RequestOutcome, String> decoded = source(
                        kafka.outcomes(), Topic.OUTCOMES, OperatorIds.OUTCOMES_SOURCE)
                .process(new OutcomeDecoding(options.models(), options.kafka().boundTopics(Topic.OUTCOMES)))
                .uid(OperatorIds.OUTCOME_DECODING)
                .name("outcome decoding")
                .keyBy(RequestOutcome::lane);
        OutcomeAggregation aggregation =
                new OutcomeAggregation(options.admission().lanesMax());
        return SteadyProcess.of(decoded, lanes.keyBy(LaneSignal::lane), aggregation, LaneOutcome.class)
                .uid(OperatorIds.OUTCOME_AGGREGATION)
                .name("outcome aggregation");
    }

    private DataStream<OutgoingRecord> tally(DataStream<RejectedRecord> refused, DataStream<TopicNote> notes) {
        return SteadyProcess.of(
                        refused.keyBy(record -> AdmissionTally.KEY),
                        notes.keyBy(note -> AdmissionTally.KEY),
                        new AdmissionTally(claimed()),
                        OutgoingRecord.class)
                .setParallelism(1)
                .uid(OperatorIds.ADMISSION_TALLY)
                .name("admission tally");
    }

    private SingleOutputStreamOperator<RawRecord> source(Source<RawRecord, ?, ?> source, Topic topic, String uid) {
        String name = options.kafka().topic(topic);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), name, TypeInformation.of(RawRecord.class))
                .uid(uid);
    }

    private void sink(DataStream<OutgoingRecord> records, Topic topic, String uid) {
        records.sinkTo(late(kafka.sink(topic))).uid(uid).name(options.kafka().topic(topic));
    }
}
