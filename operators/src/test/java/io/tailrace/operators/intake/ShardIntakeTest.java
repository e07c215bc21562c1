package io.tailrace.operators.intake;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.OTHER_LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.admission.BoundTopics;
import io.tailrace.operators.admission.OfferedGeneration;
import io.tailrace.operators.admission.RejectedRecord;
import io.tailrace.operators.admission.TopicNote;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.drift.DriftWatch;
import io.tailrace.operators.signals.EvaluationSample;
import io.tailrace.operators.timers.KeyedBroadcast;
import io.tailrace.schemas.AdmittedAnswer;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.Rejection;
import io.tailrace.schemas.RejectionReason;
import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.learn.TokenReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The function in Flink's own harness. */
final class ShardIntakeTest {
    private static final long START = 1_700_000_000_000L;

    private KeyedBroadcastOperatorTestHarness<String, OfferedGeneration, ControlCommand, ShardProgress> harness;
    private static final long HORIZON_MILLIS = 3_600_000;
    private static final long TOMBSTONE_MILLIS = Duration.ofDays(8).toMillis();
    private static final AtomicLong CLOCK = new AtomicLong();
    /** On topic control when the function starts. Static, since the function is serialised on its way into the harness. */
    private static final List<ControlCommand> GIVEN_BEFORE = new ArrayList<>();

    private IntakeOptions options = IntakeOptions.defaults(8);
    private int reported;

    private static IntakeOptions quotas(long ofScope, long ofProducer, int shards) {
        return new IntakeOptions(3_600_000, 1 << 15, new IntakeOptions.Quotas(ofScope, ofProducer), shards);
    }

    private void open(OperatorSubtaskState state) throws Exception {
        ShardIntake intake = new ShardIntake(
                options, TOMBSTONE_MILLIS, () -> GIVEN_BEFORE, BoundTopics.only("generations"), CLOCK::get);
        harness = new KeyedBroadcastOperatorTestHarness<>(
                new KeyedBroadcast<>(intake, ControlState.descriptor()),
                OfferedGeneration::shardKey,
                Types.STRING,
                128,
                1,
                0);
        reported = 0;
        harness.setup();
        harness.initializeState(state);
        harness.open();
    }

    private void openAt(long now) throws Exception {
        open(null);
        harness.setProcessingTime(now);
    }

    /** A failure after a checkpoint: all that came later is lost. */
    private void failAndRestore(OperatorSubtaskState checkpoint, long now) throws Exception {
        harness.close();
        open(checkpoint);
        harness.setProcessingTime(now);
    }

    @AfterEach
    void close() throws Exception {
        GIVEN_BEFORE.clear();
        harness.close();
    }

    private void offer(AdmittedGeneration... generations) throws Exception {
        for (AdmittedGeneration generation : generations) {
            harness.processElement(new OfferedGeneration(generation, 0, 1, null), START);
        }
    }

    @Test
    void whateverBecameOfARecordItIsToldBeforeTheNextBarrierAndOnce() throws Exception {
        options = quotas(80, 0, 8);
        openAt(START);
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "deleted", START + 10), START);
        offer(generation("a", START, 1), generation("a", START, 1), generation("over quota", START, new int[11]));
        offer(generation("deleted", START, 4));
        harness.getOperator().prepareSnapshotPreBarrier(1);
        OperatorSubtaskState checkpoint = harness.snapshot(1, START);
        harness.getOperator().prepareSnapshotPreBarrier(2);
        assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                .extracting(StreamRecord::getValue)
                .containsExactly(TopicNote.taken(4));
        failAndRestore(checkpoint, START);
        offer(generation("b", START, 1));
        harness.getOperator().prepareSnapshotPreBarrier(3);
        assertThat(harness.getSideOutput(TopicNote.OUTPUT))
                .extracting(StreamRecord::getValue)
                .containsExactly(TopicNote.taken(1));
    }

    @Test
    void onlyWhatIsTakenInIsEvaluatedAndWatched() throws Exception {
        options = quotas(80, 0, 8);
        openAt(START);
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "deleted", START + 10), START);
        AdmittedGeneration first = generation("a", START - 5, 7, 8, 1, 2, 3);
        harness.processElement(new OfferedGeneration(first, 2, 1, new int[] {7, 8}), START);
        harness.processElement(new OfferedGeneration(first, 2, 1, new int[] {7, 8}), START);
        harness.processElement(offered("over quota", new int[11]), START);
        harness.processElement(offered("deleted", 4), START);
        harness.processElement(new OfferedGeneration(generation("b", START, 5, 6), 0, 1, null), START);

        assertThat(harness.getSideOutput(EvaluationSample.OUTPUT))
                .singleElement()
                .satisfies(element -> {
                    EvaluationSample sample = element.getValue();
                    assertThat(sample.replicaKey()).isEqualTo(LANE + "#1");
                    assertThat(sample.prompt()).containsExactly(7, 8);
                    assertThat(sample.response()).containsExactly(1, 2, 3);
                    assertThat(sample.completedAt()).isEqualTo(START - 5);
                });
        assertThat(harness.getSideOutput(DriftWatch.Observation.OUTPUT))
                .extracting(element -> element.getValue().sketch())
                .containsExactly(TokenReference.sketch(new int[] {1, 2, 3}), TokenReference.sketch(new int[] {5, 6}));
    }

    @Test
    void ofALongResponseTheFirstTokensAreEvaluated() throws Exception {
        openAt(START);
        int[] tokens = new int[EvaluationSample.RESPONSE_TOKENS_MAX + 5];
        tokens[2] = 9;
        harness.processElement(new OfferedGeneration(generation("a", START, tokens), 2, 0, new int[0]), START);
        assertThat(harness.getSideOutput(EvaluationSample.OUTPUT))
                .singleElement()
                .satisfies(element -> assertThat(element.getValue().response())
                        .hasSize(EvaluationSample.RESPONSE_TOKENS_MAX)
                        .startsWith(9, 0));
    }

    private static OfferedGeneration offered(String requestId, int... tokens) {
        return new OfferedGeneration(generation(requestId, START, tokens), 0, 0, new int[0]);
    }

    /** The reports since the last call. */
    private List<ShardProgress> reports() {
        List<ShardProgress> all = harness.extractOutputValues();
        List<ShardProgress> fresh = List.copyOf(all.subList(reported, all.size()));
        reported = all.size();
        return fresh;
    }

    /** Texts, "-" where only numbers changed. */
    private static List<String> passedOn(List<ShardProgress> reports) {
        return reports.stream()
                .map(ShardProgress::generation)
                .map(generation -> generation == null ? "-" : Arrays.toString(generation.tokens()))
                .toList();
    }

    @Test
    void whatIsTakenInGoesOnToItsLaneWithWhereTheShardStands() throws Exception {
        openAt(START);
        offer(generation("a", START - 5, 1, 2, 3), generation(LANE, 3, "b", START - 4, 4, 5));
        List<ShardProgress> reports = reports();
        assertThat(reports).extracting(ShardProgress::lane).containsExactly(LANE, LANE);
        assertThat(reports).extracting(ShardProgress::shard).containsExactly(0, 3);
        assertThat(reports)
                .extracting(ShardProgress::counters)
                .containsExactly(new ShardProgress.Counters(1, 0, 0, 3, 0), new ShardProgress.Counters(1, 0, 0, 2, 0));
        assertThat(passedOn(reports)).containsExactly("[1, 2, 3]", "[4, 5]");
    }

    @Test
    void whatIsTakenInIsPassedOnToWorkersAndNothingElse() throws Exception {
        options = quotas(80, 0, 8);
        openAt(START);
        AdmittedGeneration first = generation("a", START - 5, 1, 2, 3);
        harness.processElement(new OfferedGeneration(first, 0, 1, new int[] {5, 6, 7, 8, 9}), START);
        offer(generation("a", START - 5, 1, 2, 3));
        offer(generation("over quota", START - 4, new int[11]));

        assertThat(harness.getSideOutput(ShardIntake.ADMITTED)).singleElement().satisfies(element -> {
            OutgoingRecord record = element.getValue();
            assertThat(record.keyText()).isEqualTo(LANE);
            AdmittedAnswer answer = RecordCodec.ADMITTED_ANSWER.decode(record.value());
            assertThat(new RequestHash(answer.getRequestHigh(), answer.getRequestLow()))
                    .isEqualTo(RequestHash.of("a"));
            assertThat(LaneId.of(answer.getLane())).hasToString(LANE);
            assertThat(answer.getPromptTail())
                    .as("of a prompt that evaluation has more of")
                    .containsExactly(7, 8, 9);
            assertThat(answer.getSignature()).isEqualTo(ByteBuffer.wrap(first.signature()));
            assertThat(answer.getTokens()).containsExactly(1, 2, 3);
            assertThat(answer.getCompletedAt().toEpochMilli()).isEqualTo(START - 5);
        });
    }

    @Test
    void aRepeatIsDroppedAndCountedAlsoAfterARestore() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        failAndRestore(harness.snapshot(1, START), START + 1000);
        offer(generation("a", START, 1, 2, 3));
        assertThat(reports())
                .containsExactly(new ShardProgress(LANE, 0, new ShardProgress.Counters(1, 1, 0, 3, 0), null));
    }

    /** Whether the brokers have taken it again is a matter of their time. */
    @Test
    void aJobWhoseClockIsADayAheadForgetsNoRepeat() throws Exception {
        openAt(START);
        offer(generation("a", START, 1, 2, 3));
        harness.setProcessingTime(START + Duration.ofDays(1).toMillis());
        offer(generation("b", START + 5, 4), generation("a", START + 10, 1, 2, 3));
        harness.setProcessingTime(START + Duration.ofDays(1).toMillis() + 500);
        assertThat(reports())
                .last()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 1, 0, 4, 0)));
    }

    @Test
    void aShardThatFellSilentForgetsItsIdsAndGoesOnCounting() throws Exception {
        openAt(START);
        for (int i = 0; i < 1_000; i++) {
            offer(generation("r" + i, START, 1));
        }
        assertThat(shardsThatRememberIds()).isEqualTo(1);
        assertThat(harness.numProcessingTimeTimers()).as("one a shard").isEqualTo(1);
        passHorizons(START, 3);
        assertThat(shardsThatRememberIds()).isZero();
        assertThat(harness.numProcessingTimeTimers()).isZero();
        long now = START + 3 * HORIZON_MILLIS;
        failAndRestore(harness.snapshot(1, now), now);
        offer(generation("r0", now, 1));
        assertThat(reports())
                .last()
                .satisfies(report ->
                        assertThat(report.counters().recordsAdmitted()).isEqualTo(1_001));
        assertThat(shardsThatRememberIds()).isEqualTo(1);
        assertThat(harness.numProcessingTimeTimers()).isEqualTo(1);
    }

    /** Also a shard of which a restarted job hears nothing. */
    @Test
    void aShardThatIsSilentSinceARestoreForgetsItsIds() throws Exception {
        openAt(START);
        offer(generation("a", START, 1));
        failAndRestore(harness.snapshot(1, START), START);
        passHorizons(START, 5);
        assertThat(shardsThatRememberIds()).isZero();
        assertThat(harness.numProcessingTimeTimers()).isZero();
    }

    @Test
    void aShardThatGetsRecordsKeepsItsIdsAndOneTimer() throws Exception {
        openAt(START);
        for (int hour = 0; hour < 10; hour++) {
            long now = START + hour * HORIZON_MILLIS;
            offer(generation("r" + hour, now, 1), generation("r" + hour, now, 1));
            passHorizons(now, 1);
            assertThat(harness.numProcessingTimeTimers()).isEqualTo(1);
        }
        offer(generation("r9", START + 10 * HORIZON_MILLIS, 1));
        assertThat(reports())
                .last()
                .satisfies(report ->
                        assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(10, 11, 0, 10, 0)));
    }

    /** What waited meanwhile is read after the timers have fired. */
    @Test
    void aJobThatWasDownForADayForgetsNoId() throws Exception {
        openAt(START);
        offer(generation("a", START, 1));
        long now = START + Duration.ofDays(1).toMillis();
        failAndRestore(harness.snapshot(1, START), now);
        offer(generation("a", START + 10, 1));
        assertThat(reports())
                .last()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(1, 1, 0, 1, 0)));
        assertThat(harness.numProcessingTimeTimers()).isEqualTo(1);
    }

    /** After a clock jumped, and at a start, all timers that are ahead fire at once. */
    @Test
    void aTimerThatFiresEarlyForgetsNothing() throws Exception {
        openAt(START);
        offer(generation("a", START, 1));
        long at = START + HORIZON_MILLIS;
        for (int i = 0; i < 10; i++) {
            fire(at);
        }
        offer(generation("a", START + 10, 1));
        assertThat(reports())
                .last()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(1, 1, 0, 1, 0)));
        passHorizons(START, 3);
        assertThat(shardsThatRememberIds()).isZero();
    }

    private long shardsThatRememberIds() {
        var state = ((AbstractStreamOperator<?>) harness.getOperator()).getKeyedStateBackend();
        return state.getKeys("duplicate-horizon", VoidNamespace.INSTANCE).count();
    }

    @SuppressWarnings("unchecked")
    private void fire(long at) throws Exception {
        String key = LANE + "#0";
        harness.getOperator().setCurrentKey(key);
        ((Triggerable<String, VoidNamespace>) harness.getOperator())
                .onProcessingTime(new TimerHeapInternalTimer<>(at, key, VoidNamespace.INSTANCE));
    }

    /** Time passes, and the timers with it. */
    private void passHorizons(long from, int horizons) throws Exception {
        long end = from + horizons * HORIZON_MILLIS;
        for (long now = from; now <= end; now += 60_000) {
            harness.setProcessingTime(now);
        }
    }

    @Test
    void aDeleteCatchesLateArrivals() throws Exception {
        openAt(START);
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "late", START), START);
        failAndRestore(harness.snapshot(1, START), START + 1);
        offer(generation("late", START - 1, 4, 5), generation("later", START + 1, 6));
        List<ShardProgress> reports = reports();
        assertThat(passedOn(reports)).containsExactly("-", "[6]");
        assertThat(reports)
                .last()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 0, 0, 3, 2)));
    }

    @Test
    void whatWasDeletedSinceTheCheckpointIsNotPassedOnAfterARestore() throws Exception {
        openAt(START);
        offer(generation("a", START - 10, 1, 2, 3));
        OperatorSubtaskState checkpoint = harness.snapshot(1, START);
        GIVEN_BEFORE.add(Samples.deleteRequest("d1", "acme", "later", START));
        GIVEN_BEFORE.add(Samples.deleteScope("d2", "zenith", START));
        failAndRestore(checkpoint, START);
        offer(generation("later", START - 5, 4, 5, 6), generation("b", START - 5, 7, 8));
        assertThat(harness.getSideOutput(ShardIntake.ADMITTED)).hasSize(1);
    }

    @Test
    void deletesAreKeptAsLongAsAGenerationTheyCoverMayArriveAndNoLonger() throws Exception {
        openAt(START);
        for (int i = 0; i < 1_000; i++) {
            long issuedAt = START + Duration.ofHours(i).toMillis();
            harness.setProcessingTime(issuedAt);
            harness.processBroadcastElement(Samples.deleteRequest("d" + i, "acme", "r" + i, issuedAt), issuedAt);
        }
        long now = START + Duration.ofHours(999).toMillis();
        int kept = 0;
        for (var unused : harness.getBroadcastState(ControlState.descriptor()).immutableEntries()) {
            kept++;
        }
        assertThat(kept).isEqualTo(8 * 24 + 1);
        failAndRestore(harness.snapshot(1, now), now);
        offer(generation("r990", now - Duration.ofHours(20).toMillis(), 1, 2), generation("other", now, 3));
        assertThat(passedOn(reports())).containsExactly("-", "[3]");
    }

    /** Producers' clocks may be ahead; a request's id says what is meant. */
    @Test
    void aDeleteOfARequestReachesItAlsoIfItsProducersClockWasAhead() throws Exception {
        openAt(START);
        harness.processBroadcastElement(Samples.deleteRequest("d1", "acme", "a", START + 10), START + 10);
        offer(generation("a", START + 240_000, 1, 2), generation("b", START + 240_000, 3));
        assertThat(passedOn(reports())).containsExactly("-", "[3]");
    }

    @Test
    void aDeleteTouchesNoOtherScopeAndNothingCompletedAfterIt() throws Exception {
        openAt(START);
        harness.processBroadcastElement(Samples.deleteScope("d1", "acme", START), START);
        offer(generation("late", START + 1, 3), generation(OTHER_LANE, 0, "late", START - 1, 4));
        assertThat(reports())
                .hasSize(2)
                .allSatisfy(report -> assertThat(report.generation()).isNotNull());
    }

    @Test
    void whatIsOverTheQuotaGoesToRejections() throws Exception {
        options = quotas(8, 0, 2);
        openAt(START);
        offer(generation("a", START, 1, 2, 3), generation("b", START, 4, 5));
        Rejection rejection = rejection();
        assertThat(rejection.getReason()).isEqualTo(RejectionReason.QUOTA_EXCEEDED);
        assertThat(rejection.getTopic()).isEqualTo("generations");
        assertThat(rejection.getDetail()).contains("2 tokens", "quota of the scope, 8 tokens a minute over 2 shards");
        assertThat(reports()).last().satisfies(report -> {
            assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(1, 0, 1, 3, 0));
            assertThat(report.generation()).isNull();
        });
    }

    @Test
    void whatIsOverItsProducersQuotaGoesToRejectionsAndTakesNothingOfTheScopes() throws Exception {
        options = quotas(16, 8, 2);
        openAt(START);
        offer(generation("a", START, 1, 2, 3), generation("b", START, 4, 5), by("worker-2", "c", 1, 2, 3, 4));
        Rejection rejection = rejection();
        assertThat(rejection.getReason()).isEqualTo(RejectionReason.PRODUCER_QUOTA_EXCEEDED);
        assertThat(rejection.getDetail())
                .contains("2 tokens", "quota of producer worker-1, 8 tokens a minute over 2 shards");
        offer(by("worker-3", "d", 1, 2));
        assertThat(rejection().getReason()).isEqualTo(RejectionReason.QUOTA_EXCEEDED);
        assertThat(reports())
                .last()
                .satisfies(
                        report -> assertThat(report.counters()).isEqualTo(new ShardProgress.Counters(2, 0, 2, 7, 0)));
    }

    private static AdmittedGeneration by(String producer, String requestId, int... tokens) {
        AdmittedGeneration of = generation(requestId, START, tokens);
        return new AdmittedGeneration(
                of.lane(),
                of.shard(),
                of.requestHigh(),
                of.requestLow(),
                producer,
                of.completedAt(),
                of.arrivedAt(),
                of.promptTail(),
                of.signature(),
                of.copied(),
                of.tokens(),
                of.partition(),
                of.offset());
    }

    private Rejection rejection() throws Exception {
        return RecordCodec.REJECTION.decode(harness.getSideOutput(RejectedRecord.OUTPUT)
                .remove()
                .getValue()
                .record()
                .value());
    }
}
